import { useMemo } from 'react'
import type { ListDefinition } from '../../../patterns/list/list-definition.ts'
import { useList } from '../../../patterns/list/use-list.ts'
import { contactListTexts } from '../../../texts/en/contact-list-texts.ts'
import { contactSource } from '../contact-list.ts'
import { nameOfContact } from '../contact-names.ts'
import type { ContactRow } from '../contact-queries.ts'
import type { ComposeKind, ContactSearch, ContactTab } from '../contact-search.ts'
import type { ContactQuery } from '../list-query.ts'
import { contactColumns, standardColumns } from './contact-columns.tsx'
import { contactFilters } from './contact-filters.tsx'

const contactList: ListDefinition<ContactRow, ContactQuery> = {
  ...contactSource,
  name: 'contacts',
  texts: contactListTexts,
  filters: contactFilters,
  columns: contactColumns,
  standardColumns,
  nameOf: nameOfContact,
}

/** The list of contacts of the URL. A part that is to be written is shown for the contact that was opened with it only. */
export function useContactList() {
  const list = useList(contactList)
  const search = list.search as ContactSearch
  const { change } = list
  const actions = useMemo(
    () => ({
      open: (id: string, options: { compose?: ComposeKind; tab?: ContactTab } = {}) =>
        list.open(id, { compose: undefined, ...options }),
      setTab: (tab: ContactTab) => change((before) => ({ ...before, tab }), { replace: true }),
      endCompose: () => change(({ compose: _, ...before }) => before, { replace: true }),
    }),
    [change, list.open],
  )
  return { ...list, search, ...actions }
}

export type ContactList = ReturnType<typeof useContactList>
