import type { ReactNode } from 'react';
import './field.css';
import { Icon, type IconName } from './Icon.tsx';

export interface FieldProps {
  id: string;
  label: string;
  icon: IconName;
  disabled: boolean;
  /** An error message below the control, which refers to it by `problemId`. */
  problem?: string | undefined;
  children: ReactNode;
  below?: ReactNode;
}

/** A labelled control. A press anywhere on its frame reaches it. */
export function Field({ id, label, icon, disabled, problem, children, below }: FieldProps) {
  return (
    <div className={disabled ? 'field is-disabled' : 'field'}>
      <div className={problem === undefined ? 'field-frame' : 'field-frame is-invalid'}>
        <Icon name={icon} />
        <label htmlFor={id}>{label}</label>
        <div className="field-control">{children}</div>
      </div>
      {below}
      {problem !== undefined && (
        <p id={problemId(id)} className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** The id for the control's `aria-describedby` while there is a problem. */
export function problemId(id: string): string {
  return `${id}-problem`;
}
