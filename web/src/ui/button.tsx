import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import styles from './button.module.css'
import { Kbd } from './kbd.tsx'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** `plain` has no look of its own. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'plain'
  size?: 'normal' | 'small'
  icon?: ReactNode
  keys?: string
  ref?: Ref<HTMLButtonElement>
}

const classesOf = (variant: string, size: string) =>
  variant === 'plain' ? '' : `${styles.button} ${styles[variant]} ${styles[size] ?? ''}`

export function Button({
  variant = 'secondary',
  size = 'normal',
  icon,
  keys,
  children,
  className = '',
  ...others
}: ButtonProps) {
  return (
    <button type="button" className={`${classesOf(variant, size)} ${className}`} {...others}>
      {icon}
      {children}
      {keys && <Kbd keys={keys} />}
    </button>
  )
}

type IconButtonProps = Omit<ButtonProps, 'children' | 'keys'> & { label: string; icon: ReactNode }

export function IconButton({
  label,
  icon,
  variant = 'quiet',
  size = 'normal',
  className = '',
  ...others
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`${classesOf(variant, size)} ${styles.icon} ${className}`}
      {...others}
    >
      {icon}
    </button>
  )
}
