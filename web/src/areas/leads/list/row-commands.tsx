import { useState } from 'react'
import { useCommands } from '../../../session/commands.ts'
import type { LeadRow } from '../lead-queries.ts'
import type { ComposeKind, LeadTab } from '../lead-search.ts'
import { useLeadChanges, withPending } from '../record/lead-changes.ts'
import { listLeadCommands } from '../record/lead-commands.ts'
import { type LeadDialog, LeadDialogs } from '../record/lead-dialogs.tsx'

/** The keys of a lead for the active row, while no lead is open. */
export function RowCommands({
  row,
  open,
}: {
  row: LeadRow
  open: (id: string, options: { compose?: ComposeKind; tab?: LeadTab }) => void
}) {
  const changes = useLeadChanges(row)
  const [dialog, setDialog] = useState<LeadDialog>()
  useCommands(
    listLeadCommands({
      status: withPending(row, changes).status,
      canEdit: true,
      compose: (kind) => open(row.id, { compose: kind }),
      edit: () => open(row.id, { tab: 'details' }),
      assign: () => setDialog('assign'),
      setStatus: (status) => (status === 'unqualified' ? setDialog('reason') : changes.save({ status })),
    }),
  )
  return (
    <LeadDialogs
      dialog={dialog}
      assignTo={({ id }) => changes.save({ owner_id: id })}
      disqualify={(reason) => changes.save({ status: 'unqualified', disqualify_reason: reason })}
      close={() => setDialog(undefined)}
    />
  )
}
