import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createContact } from '../../../api/access.gen.ts'
import { ListPage } from '../../../patterns/list/list-page.tsx'
import { NoPermissionPage } from '../../../patterns/states.tsx'
import { useIdle } from '../../../patterns/use-idle.ts'
import { can, may, useMe } from '../../../session/me.ts'
import { contactListTexts as texts } from '../../../texts/en/contact-list-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { ContactCard } from './contact-card.tsx'
import { ContactPanel, OpenPanel } from './open-panel.tsx'
import { useContactList } from './use-contact-list.ts'

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
  useIdle(() => void Promise.allSettled([ContactPanel.load(), EmptyContacts.load()]))
  return (
    <>
      <ListPage
        list={list}
        create={may(me, createContact) ? () => setCreating(true) : undefined}
        openPage={({ id }) => void navigate({ to: '/contacts/$contactId', params: { contactId: id }, search: {} })}
        renderCard={(contact) => <ContactCard contact={contact} now={now} locale={me.locale} />}
        renderEmpty={(slot) => <EmptyContacts {...slot} />}
        renderPanel={(slot) => <OpenPanel list={list} {...slot} />}
      />
      {isCreating && <CreateDialog open={list.open} close={() => setCreating(false)} />}
    </>
  )
}
