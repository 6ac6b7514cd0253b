import { createLeadExport, uploadLeadImport } from '../../../api/access.gen.ts'
import { ListFiles } from '../../../patterns/export/list-files.tsx'
import { may } from '../../../session/me.ts'
import type { LeadList } from '../list/use-lead-list.ts'
import { toListFilters } from '../list-query.ts'

export const LeadFiles = ({ list }: { list: LeadList }) => (
  <ListFiles
    type="leads"
    list={list}
    filters={toListFilters(list.filters, list.today)}
    canImport={may(list.me, uploadLeadImport)}
    canExport={may(list.me, createLeadExport)}
  />
)
