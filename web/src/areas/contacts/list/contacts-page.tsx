import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createContact, updateContact } from '../../../api/access.gen.ts'
import { KeyHint } from '../../../patterns/list/list-foot.tsx'
import { ListPage, type ListSlot } from '../../../patterns/list/list-page.tsx'
import { NoPermissionPage } from '../../../patterns/states.tsx'
import { useIdle } from '../../../patterns/use-idle.ts'
import { can, may, useMe } from '../../../session/me.ts'
import { contactListTexts as texts } from '../../../texts/en/contact-list-texts.ts'
import { listTexts } from '../../../texts/en/list-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { ContactRow } from '../contact-queries.ts'
import { ContactCard } from './contact-card.tsx'
import { ContactPanel, OpenPanel } from './open-panel.tsx'
import { RowAssign, RowCommands } from './row-commands.tsx'
import { type ContactList, useContactList } from './use-contact-list.ts'

const ContactFiles = lazyPart(() => import('../files/contact-files.tsx'), 'ContactFiles')
const ContactBulkActions = lazyPart(() => import('../bulk/bulk-actions.tsx'), 'ContactBulkActions')
const CreateDialog = lazyPart(() => import('../create/create-dialog.tsx'), 'CreateDialog')
const EmptyContacts = lazyPart(() => import('./list-states.tsx'), 'EmptyContacts')

export function ContactsPage() {
  const me = useMe()
  return can(me, 'contacts.read') ? <ContactListPage /> : <NoPermissionPage area={texts.area} scope="contacts.read" />
}

function ContactListPage() {
  const list = useContactList()
  const { me, now } = list
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const canEdit = may(me, updateContact)
  useIdle(
    () =>
      void Promise.allSettled([
        ContactPanel.load(),
        EmptyContacts.load(),
        ...(canEdit ? [ContactBulkActions.load(), RowAssign.load()] : []),
      ]),
  )
  return (
    <>
      <ListPage
        list={list}
        create={may(me, createContact) ? () => setCreating(true) : undefined}
        actions={canEdit && <ContactFiles list={list} />}
        hints={canEdit && <KeyHint keys="x">{listTexts.foot.select}</KeyHint>}
        openPage={({ id }) => void navigate({ to: '/contacts/$contactId', params: { contactId: id }, search: {} })}
        renderCard={(contact) => <ContactCard contact={contact} now={now} locale={me.locale} />}
        renderEmpty={(slot) => <EmptyContacts {...slot} />}
        renderBulk={canEdit ? (slot) => <Bulk list={list} {...slot} /> : undefined}
        renderPanel={(slot) => <OpenPanel list={list} {...slot} />}
        renderCommands={canEdit ? ({ activeRow }) => <RowCommands row={activeRow} open={list.open} /> : undefined}
      />
      {isCreating && <CreateDialog open={list.open} close={() => setCreating(false)} />}
    </>
  )
}

/** The bar is loaded with the first selection. It stays, because what it has started may still be reported. */
function Bulk({ list, chosen }: { list: ContactList } & ListSlot<ContactRow>) {
  const [hasSelected, setHasSelected] = useState(false)
  if (chosen.count > 0 && !hasSelected) setHasSelected(true)
  return hasSelected && <ContactBulkActions list={list} chosen={chosen} />
}
