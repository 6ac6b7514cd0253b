import { queryClient } from '../../../api/queries.ts'
import { contactQuery } from '../../../patterns/contact-links/contact-query.ts'
import type { ListSlot } from '../../../patterns/list/list-page.tsx'
import { useOpenRow } from '../../../patterns/list/use-open-row.ts'
import { renderFailedPanel } from '../../../patterns/record/failed-panel.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { ContactRow } from '../contact-queries.ts'
import type { ContactList } from './use-contact-list.ts'

export const ContactPanel = lazyPart(() => import('../record/contact-panel.tsx'), 'ContactPanel', {
  waiting: <div />,
  renderFailure: renderFailedPanel,
})

/** The open contact beside the list. */
export function OpenPanel({ list, ...slot }: { list: ContactList } & ListSlot<ContactRow>) {
  const { search, open } = list
  const { id, ...frame } = useOpenRow(list, slot, (next) => queryClient.prefetchQuery(contactQuery(next)))
  if (!id) return null
  return (
    <ContactPanel
      id={id}
      {...frame}
      show={open}
      tab={search.tab}
      setTab={list.setTab}
      compose={search.compose}
      endCompose={list.endCompose}
    />
  )
}
