import { Component, type ReactNode } from 'react';
import { ErrorPage } from './ErrorPage.tsx';

/** Catches unexpected errors and shows the generic error page instead of the page (Section 8). */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <ErrorPage /> : this.props.children;
  }
}
