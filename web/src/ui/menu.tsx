import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { lazyPart } from './lazy-part.tsx'
import type { MenuItem } from './menu-model.ts'

export const MenuPopup = lazyPart(() => import('./menu-popup.tsx'), 'MenuPopup')
export type MenuPopupProps = ComponentProps<typeof MenuPopup>

/** A button that opens a menu. The menu itself is loaded when the page is idle or the button gets the focus. */
export function MenuButton({
  label,
  items = [],
  renderPopup,
  icon,
  children,
  variant,
  size,
  className,
  tabIndex,
  prepare,
  align = 'end',
  onClose,
}: {
  label: string
  items?: readonly MenuItem[]
  /** Renders a menu whose items are in a file that loads later. */
  renderPopup?: (popup: Omit<MenuPopupProps, 'items'>) => ReactNode
  icon?: ReactNode
  children?: ReactNode
  variant?: 'secondary' | 'quiet' | 'plain'
  size?: 'normal' | 'small'
  className?: string
  tabIndex?: number
  align?: 'start' | 'end'
  /** Loads what the items need when the pointer or the focus comes near. */
  prepare?: () => void
  onClose?: () => void
}) {
  const trigger = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const approach = () => {
    MenuPopup.load().catch(() => {})
    prepare?.()
  }
  const close = () => {
    setOpen(false)
    onClose?.()
  }
  const popup = { label, anchor: trigger, align, close }
  const props = {
    ref: trigger,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': isOpen,
    onClick: () => (isOpen ? close() : setOpen(true)),
    onPointerEnter: approach,
    onFocus: approach,
    variant,
    size,
    className,
    tabIndex,
  }
  return (
    <>
      {children ? (
        <Button {...props} icon={icon} aria-label={label}>
          {children}
        </Button>
      ) : (
        <IconButton {...props} label={label} icon={icon} />
      )}
      {isOpen && (renderPopup?.(popup) ?? <MenuPopup {...popup} items={items} />)}
    </>
  )
}
