import type { ReactNode } from 'react';
import './field.css';
import { Icon, type IconName } from './Icon.tsx';

export interface FieldProps {
  /** The id of the control, which the label names. */
  id: string;
  label: string;
  icon: IconName;
  disabled: boolean;
  /** What is wrong with what the control holds, said at once and shown below it; the control names it by `problemId`. */
  problem?: string | undefined;
  /** The control, and the small buttons beside it. */
  children: ReactNode;
  /** What opens under the frame, and what is said below it. */
  below?: ReactNode;
}

/** A labelled control in a frame; a press anywhere on the frame reaches the control. */
export function Field({ id, label, icon, disabled, problem, children, below }: FieldProps) {
  return (
    <div className={disabled ? 'field is-disabled' : 'field'}>
      <div className="field-frame">
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

/** What `aria-describedby` of the control names while there is a problem. */
export function problemId(id: string): string {
  return `${id}-problem`;
}
