import { useState } from 'react'
import { useCommands } from '../../../session/commands.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { ContactRow } from '../contact-queries.ts'
import { listContactCommands } from '../record/contact-commands.ts'
import type { ContactList } from './use-contact-list.ts'

export const RowAssign = lazyPart(() => import('./row-assign.tsx'), 'RowAssign')

/** The keys of a contact for the active row. */
export function RowCommands({ row, open }: { row: ContactRow | undefined; open: ContactList['open'] }) {
  const [assigned, assign] = useState<ContactRow>()
  useCommands(
    listContactCommands({
      isAvailable: row !== undefined,
      compose: (kind) => open(row!.id, { compose: kind }),
      edit: () => open(row!.id, { tab: 'details' }),
      assign: () => assign(row),
    }),
  )
  return assigned && <RowAssign row={assigned} close={() => assign(undefined)} />
}
