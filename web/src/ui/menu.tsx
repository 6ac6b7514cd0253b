import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Button, IconButton } from './button.tsx'

export type MenuItem =
  | {
      kind?: 'action'
      label: string
      icon?: ReactNode
      keys?: string
      isDisabled?: boolean
      hint?: string
      run: () => void
    }
  | { kind: 'choice'; label: string; isChosen: boolean; run: () => void }
  | { kind: 'line' }
  | { kind: 'title'; label: string }

export const loadMenuPopup = () => import('./menu-popup.tsx')
const MenuPopup = lazy(() => loadMenuPopup().then((module) => ({ default: module.MenuPopup })))

/** A button that opens a menu. The menu itself is loaded when the page is idle or the button gets the focus. */
export function MenuButton({
  label,
  items,
  icon,
  children,
  variant,
  size,
  className,
  tabIndex,
  prepare,
}: {
  label: string
  items: readonly MenuItem[]
  icon?: ReactNode
  children?: ReactNode
  variant?: 'secondary' | 'quiet'
  size?: 'normal' | 'small'
  className?: string
  tabIndex?: number
  /** Loads what the items need when the pointer or the focus comes near. */
  prepare?: () => void
}) {
  const trigger = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const approach = () => {
    void loadMenuPopup()
    prepare?.()
  }
  const props = {
    ref: trigger,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': isOpen,
    onClick: () => setOpen(!isOpen),
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
      {isOpen && (
        <Suspense>
          <MenuPopup label={label} anchor={trigger} items={items} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
