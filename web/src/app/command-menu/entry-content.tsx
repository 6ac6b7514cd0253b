import { ArrowRight, Building2, Columns3, Command as CommandIcon, DoorOpen, Library, Megaphone } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FoundRecord } from '../../patterns/recent-records.ts'
import { commandTexts } from '../../texts/en/command-texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import styles from './command-menu.module.css'
import { splitMatches } from './match-text.ts'
import type { MenuEntry } from './menu-entries.ts'

/** The icon, the name with the matching letters marked, and the keys of an entry. */
export function EntryContent({ entry, query }: { entry: MenuEntry; query: string }) {
  if (entry.kind === 'command') {
    const { icon, path, keys } = entry.command
    return (
      <>
        <span className={styles.icon}>{icon ?? (path ? <ArrowRight size={17} /> : <CommandIcon size={17} />)}</span>
        <span className={styles.label}>
          <Matches text={entry.label} query={query} />
        </span>
        {keys?.[0] && <Kbd keys={keys[0]} />}
      </>
    )
  }
  const { title, subtitle, type } = entry.record
  return (
    <>
      <span className={styles.icon}>{iconOf(entry.record)}</span>
      <span className={styles.label}>
        <b>
          <Matches text={title} query={query} />
        </b>{' '}
        <span className={styles.detail}>
          {commandTexts.types[type]}
          {subtitle && ' · '}
          {subtitle && <Matches text={subtitle} query={query} />}
        </span>
      </span>
      <span className={styles.enter}>
        <Kbd keys="Enter" />
      </span>
    </>
  )
}

const icons: Readonly<Partial<Record<FoundRecord['type'], ReactNode>>> = {
  account: <Building2 size={17} />,
  opportunity: <Columns3 size={17} />,
  campaign: <Megaphone size={17} />,
  content: <Library size={17} />,
  room: <DoorOpen size={17} />,
}

const iconOf = ({ type, title }: FoundRecord): ReactNode =>
  type === 'account' ? <Avatar name={title} isCompany /> : (icons[type] ?? <Avatar name={title} />)

const Matches = ({ text, query }: { text: string; query: string }) =>
  splitMatches(text, query).map(({ text: part, isMatch }, at) =>
    isMatch ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
  )
