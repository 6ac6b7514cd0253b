import { createContactExport, uploadContactImport } from '../../../api/access.gen.ts'
import { ListFiles } from '../../../patterns/export/list-files.tsx'
import { may } from '../../../session/me.ts'
import type { ContactList } from '../list/use-contact-list.ts'
import { toListFilters } from '../list-query.ts'

export const ContactFiles = ({ list }: { list: ContactList }) => (
  <ListFiles
    type="contacts"
    list={list}
    filters={{ query: toListFilters(list.filters) }}
    canImport={may(list.me, uploadContactImport)}
    canExport={may(list.me, createContactExport)}
  />
)
