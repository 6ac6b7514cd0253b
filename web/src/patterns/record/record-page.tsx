import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback } from 'react'
import { type Command, useCommands } from '../../session/commands.ts'
import { searchOfList } from '../../session/list-places.ts'
import { recordTexts } from '../../texts/en/record-texts.ts'
import type { ListSource } from '../list/list-definition.ts'
import { useNeighbors } from '../list/use-neighbors.ts'
import { BackLink } from './back-link.tsx'
import styles from './record-page.module.css'

/** Leads from the page of a record to its list, and to the records before and after it in the list. */
export function useRecordPage<Row extends { id: string }, Query extends object>(
  source: ListSource<Row, Query>,
  id: string,
  title: string,
) {
  const { path } = source
  const navigate = useNavigate()
  const search = searchOfList(path, location.pathname)
  const close = () => void navigate({ to: path as '/', search: search as never })
  const show = useCallback(
    (next: string) => void navigate({ to: `${path}/${next}` as '/', replace: true }),
    [navigate, path],
  )
  const { position, previous, next } = useNeighbors(source, id, show)
  const command = (name: string, label: string, key: string, run: (() => void) | undefined): Command => ({
    id: `list:${name}`,
    label,
    group: title,
    keys: [key],
    isListed: false,
    isAvailable: run !== undefined,
    run: () => run?.(),
  })
  useCommands([
    command('close', recordTexts.close, 'Escape', close),
    command('next', recordTexts.next, 'j', next),
    command('previous', recordTexts.previous, 'k', previous),
  ])
  return { search, close, show, position, goTo: { previous, next } }
}

/** The page of a record that has the frame of its panel. */
export const RecordPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={styles.page}>
    <h1 className="visually-hidden">{title}</h1>
    {children}
  </div>
)

export const toBackLink = (path: string, search: object, title: string) => (
  <BackLink to={path} search={search} label={title} />
)
