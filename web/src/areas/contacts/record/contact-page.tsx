import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { RecordPage, toBackLink, useRecordPage } from '../../../patterns/record/record-page.tsx'
import { NoPermissionPage } from '../../../patterns/states.tsx'
import { can, useMe } from '../../../session/me.ts'
import { contactListTexts as texts } from '../../../texts/en/contact-list-texts.ts'
import { contactSource } from '../contact-list.ts'
import { type ContactSearch, contactSearch } from '../contact-search.ts'
import { ContactPanel } from './contact-panel.tsx'

export function ContactPage() {
  const me = useMe()
  return can(me, 'contacts.read') ? <OpenContact /> : <NoPermissionPage area={texts.area} scope="contacts.read" />
}

function OpenContact() {
  const { contactId = '' } = useParams({ strict: false })
  const { tab, compose } = contactSearch.parse(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (update: (before: ContactSearch) => ContactSearch) =>
    void navigate({ to: '.', search: update as never, replace: true })
  const { search, ...frame } = useRecordPage(contactSource, contactId, texts.title)
  return (
    <RecordPage title={texts.title}>
      <ContactPanel
        id={contactId}
        back={toBackLink('/contacts', search, texts.title)}
        {...frame}
        tab={tab}
        setTab={(next) => change((before) => ({ ...before, tab: next }))}
        compose={compose}
        endCompose={() => change(({ compose: _, ...before }) => before)}
      />
    </RecordPage>
  )
}
