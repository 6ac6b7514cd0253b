import { CircleCheck, Mail, NotebookPen, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { Button } from '../../ui/button.tsx'
import styles from './activity-buttons.module.css'
import type { ComposerKind } from './composer/composer.tsx'

type ButtonKind = Exclude<ComposerKind, 'meeting'>

const buttons: readonly { kind: ButtonKind; icon: ReactNode; keys: string }[] = [
  { kind: 'call', icon: <Phone size={15} />, keys: 'l' },
  { kind: 'email', icon: <Mail size={15} />, keys: 'm' },
  { kind: 'note', icon: <NotebookPen size={15} />, keys: 'n' },
  { kind: 'task', icon: <CircleCheck size={15} />, keys: 't' },
]

type ButtonsProps = {
  start: (kind: ButtonKind) => void
  phoneUrl?: string
}

export const ActivityButtons = ({ start, phoneUrl }: ButtonsProps) => (
  <div className={styles.buttons}>
    {buttons.map(({ kind, icon, keys }) => (
      <Button
        key={kind}
        icon={icon}
        keys={keys}
        onClick={() => {
          start(kind)
          if (kind === 'call' && phoneUrl) location.assign(phoneUrl)
        }}
      >
        {recordTexts.composer.kinds[kind]}
      </Button>
    ))}
  </div>
)
