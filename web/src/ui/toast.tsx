import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useStore } from '../api/store.ts'
import { uiTexts } from '../texts/en/ui-texts.ts'
import { Button, IconButton } from './button.tsx'
import styles from './toast.module.css'
import { holdToasts, releaseToasts, removeToast, runToastAction, toasts } from './toasts.ts'

export { showToast } from './toasts.ts'

export function Toasts() {
  const list = useRef<HTMLDivElement>(null)
  const shown = useStore(toasts)
  // A button that is removed with its toast reports neither the loss of the focus nor that of the pointer.
  useEffect(() => {
    if (shown.length === 0 || !list.current?.contains(document.activeElement)) releaseToasts('focus')
    if (shown.length === 0 || !list.current?.matches(':hover')) releaseToasts('hover')
  }, [shown])
  return (
    <div
      ref={list}
      className={styles.list}
      role="status"
      aria-live="polite"
      onPointerEnter={() => holdToasts('hover')}
      onPointerLeave={() => releaseToasts('hover')}
      onFocus={() => holdToasts('focus')}
      onBlur={() => releaseToasts('focus')}
    >
      {shown.map((toast) => (
        <div key={toast.id} className={styles.toast}>
          <span className={styles[toast.tone]}>
            {toast.tone === 'done' ? <CircleCheck size={16} /> : <CircleAlert size={16} />}
          </span>
          <span className={styles.text}>{toast.text}</span>
          {toast.actions.length > 0 && (
            <span className={styles.actions}>
              {toast.actions.map((action) => (
                <Button key={action.label} size="small" onClick={() => runToastAction(toast, action)}>
                  {action.label}
                </Button>
              ))}
            </span>
          )}
          <IconButton
            label={uiTexts.dismiss}
            size="small"
            icon={<X size={14} />}
            onClick={() => removeToast(toast.id)}
          />
        </div>
      ))}
    </div>
  )
}
