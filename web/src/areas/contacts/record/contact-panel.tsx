import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { restoreContact } from '../../../api/access.gen.ts'
import { contactQuery } from '../../../patterns/contact-links/contact-query.ts'
import { GoneRecord } from '../../../patterns/record/gone-record.tsx'
import { RecordPanel } from '../../../patterns/record/record-panel.tsx'
import { Skeleton } from '../../../patterns/states.tsx'
import { useCommands } from '../../../session/commands.ts'
import { may, mayDelete, useMe } from '../../../session/me.ts'
import { contactRecordTexts as texts } from '../../../texts/en/contact-record-texts.ts'
import { nameOfContact } from '../contact-names.ts'
import type { Contact, ContactRow } from '../contact-queries.ts'
import type { ComposeKind, ContactTab } from '../contact-search.ts'
import { type ShownContact, useContactChanges } from './contact-changes.ts'
import { ContactRecord } from './contact-record.tsx'
import { deleteContact, restoreDeleted } from './delete-contact.ts'

export type ContactPanelProps = {
  id: string
  /** The row of the list, shown until the record is loaded. */
  row?: ContactRow
  back?: ReactNode
  position?: string
  goTo?: { previous?: () => void; next?: () => void }
  expand?: () => void
  close?: () => void
  /** Shows another contact instead. */
  show: (id: string) => void
  tab?: ContactTab
  setTab: (tab: ContactTab) => void
  compose?: ComposeKind
  endCompose: () => void
}

/** A contact beside its list, or on a page of its own. */
export function ContactPanel(props: ContactPanelProps) {
  const { id, row, back, goTo, close, show } = props
  const me = useMe()
  const { data, error, refetch } = useQuery(contactQuery(id))
  const contact: ShownContact | undefined = data ?? row
  const path = `/contacts/${id}`
  if (error && !data)
    return (
      <RecordPanel label={texts.part} {...{ path, back, goTo }} close={back ? undefined : close}>
        <GoneRecord
          texts={texts}
          error={error}
          retry={() => void refetch()}
          restore={may(me, restoreContact) ? () => restoreDeleted(id) : undefined}
          goTo={show}
        />
      </RecordPanel>
    )
  if (!contact)
    return (
      <RecordPanel label={texts.part} {...{ path, back }} close={back ? undefined : close}>
        <Skeleton rows={8} />
      </RecordPanel>
    )
  return <LoadedContact key={id} {...props} {...{ contact, details: data, path }} />
}

type LoadedContactProps = ContactPanelProps & { contact: ShownContact; details: Contact | undefined; path: string }

function LoadedContact(props: LoadedContactProps) {
  const { contact, details, path, back, position, goTo, expand, close } = props
  const me = useMe()
  const changes = useContactChanges(contact)
  const name = nameOfContact(contact)
  const mayRemove = mayDelete(me, 'contacts', contact.owner?.id ?? null)
  const remove = async () => {
    const showNext = goTo?.next ?? close
    if (await deleteContact(contact)) showNext?.()
  }
  useCommands([
    {
      id: 'contact:delete',
      label: texts.remove,
      group: texts.group,
      isAvailable: mayRemove,
      run: () => void remove(),
    },
  ])
  return (
    <RecordPanel
      label={name}
      {...{ path, back, position, goTo, expand }}
      menu={mayRemove ? [{ label: texts.remove, run: () => void remove() }] : []}
      close={back ? undefined : close}
    >
      <ContactRecord
        contact={contact}
        details={details}
        changes={changes}
        tab={props.tab ?? 'activity'}
        setTab={props.setTab}
        compose={props.compose}
        endCompose={props.endCompose}
        isPage={back !== undefined}
      />
    </RecordPanel>
  )
}
