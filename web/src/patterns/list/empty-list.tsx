import { useLinkProps } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import stateStyles from '../states.module.css'
import { State } from '../states.tsx'
import { NoMatch } from './no-match.tsx'
import type { List } from './use-list.ts'

export type EmptySlot = {
  list: Pick<List, 'definition' | 'filters'>
  create: (() => void) | undefined
  chips: ReactNode
}

export type EmptyView = {
  title: string
  text: string
  hue?: 'info' | 'success'
  links?: Readonly<Record<string, string>>
  mayCreate?: boolean
}

type EmptyListProps = EmptySlot & {
  icon: ReactNode
  views: Readonly<Record<string, EmptyView>>
  noMatch: { title: string; text: string }
}

export function EmptyList({ list: { definition, filters }, create, chips, icon, views, noMatch }: EmptyListProps) {
  const empty = views[definition.search.viewOf(filters) ?? '']
  if (!empty) return <NoMatch {...noMatch} chips={chips} />
  const { title, text, hue = 'info', links = {}, mayCreate } = empty
  return (
    <State
      icon={icon}
      hue={hue}
      title={title}
      actions={
        <>
          {Object.entries(links).map(([view, label]) => (
            <ViewLink key={view} to={definition.path} view={view}>
              {label}
            </ViewLink>
          ))}
          {mayCreate && create && (
            <Button variant="primary" icon={<Plus size={15} />} keys="c" onClick={create}>
              {definition.texts.create}
            </Button>
          )}
        </>
      }
    >
      {text}
    </State>
  )
}

const ViewLink = ({ to, view, children }: { to: string; view: string; children: string }) => (
  <a {...useLinkProps({ to, search: { view } as never, className: stateStyles.link })}>{children}</a>
)
