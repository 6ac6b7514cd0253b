import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { createStore, useStore } from '../api/store.ts'
import { Button, IconButton } from './button.tsx'
import styles from './toast.module.css'

type Toast = { id: number; text: string; tone: 'done' | 'failed'; action?: { label: string; run: () => void } }

const toasts = createStore<readonly Toast[]>([])
const shownMs = 8_000
let lastId = 0

/** Reports the result of an action. It stays longer than a moment, because it may offer to undo the action. */
export function showToast(text: string, options: Partial<Pick<Toast, 'tone' | 'action'>> = {}): void {
  lastId += 1
  const toast = { id: lastId, text, tone: options.tone ?? 'done', action: options.action }
  toasts.set([...toasts.get().slice(-2), toast])
  setTimeout(() => removeToast(toast.id), shownMs)
}

const removeToast = (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id))

export const Toasts = () => (
  <div className={styles.list} role="status" aria-live="polite">
    {useStore(toasts).map(({ id, text, tone, action }) => (
      <div key={id} className={styles.toast}>
        <span className={styles[tone]}>{tone === 'done' ? <CircleCheck size={16} /> : <CircleAlert size={16} />}</span>
        <span>{text}</span>
        {action && (
          <Button
            size="small"
            onClick={() => {
              removeToast(id)
              action.run()
            }}
          >
            {action.label}
          </Button>
        )}
        <IconButton label="Dismiss" size="small" icon={<X size={14} />} onClick={() => removeToast(id)} />
      </div>
    ))}
  </div>
)
