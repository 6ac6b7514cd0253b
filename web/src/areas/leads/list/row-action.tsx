import { useEffect, useRef } from 'react'
import type { LeadRow } from '../lead-queries.ts'
import type { SettableStatus } from '../lead-status.ts'
import { useLeadChanges } from '../record/lead-changes.ts'
import { type LeadDialog, LeadDialogs } from '../record/lead-dialogs.tsx'

export type AskedAction = 'assign' | SettableStatus

const dialogs: Partial<Record<AskedAction, LeadDialog>> = { assign: 'assign', unqualified: 'reason' }

/** Saves what a key of a row asks for, after a question if it needs one. */
export function RowAction({ row, action, close }: { row: LeadRow; action: AskedAction; close: () => void }) {
  const changes = useLeadChanges(row)
  const isSaved = useRef(false)
  const dialog = dialogs[action]
  useEffect(() => {
    if (dialog || isSaved.current) return
    isSaved.current = true
    changes.save({ status: action })
    close()
  }, [])
  return (
    <LeadDialogs
      dialog={dialog}
      assignTo={({ id }) => changes.save({ owner_id: id })}
      disqualify={(reason) => changes.save({ status: 'unqualified', disqualify_reason: reason })}
      close={close}
    />
  )
}
