import type { ContactRow } from '../contact-queries.ts'
import { useContactChanges } from '../record/contact-changes.ts'
import { ContactDialogs } from '../record/contact-dialogs.tsx'

/** Asks for the new owner of a contact of the list. */
export function RowAssign({ row, close }: { row: ContactRow; close: () => void }) {
  const changes = useContactChanges(row)
  return (
    <ContactDialogs dialog={{ kind: 'assign' }} assignTo={({ id }) => changes.save({ owner_id: id })} close={close} />
  )
}
