import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read, withKey } from '../../../api/client.ts'
import { useIntent } from '../../../api/intent.ts'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { can, isManagerOrAdmin, useMe } from '../../../session/me.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { nameOfLead } from '../lead-names.ts'
import { duplicatesQuery, refreshLeads, storeLead } from '../lead-queries.ts'
import styles from './record.module.css'

/** Leads and contacts that may be the same person. A lead can be merged into the open one. */
export function LeadDuplicates({ id }: { id: string }) {
  const me = useMe()
  const duplicates = useQuery(duplicatesQuery(id))
  const mayUndo = isManagerOrAdmin(me)
  const intent = useIntent()
  const merge = useMutation({
    mutationFn: (duplicateId: string) => mergeLead(id, duplicateId, intent.keyOf([id, duplicateId]), mayUndo),
    onSuccess: intent.end,
    onError: (error, duplicateId) => showRepeatableProblem(error, () => merge.mutate(duplicateId)),
  })
  if (duplicates.isPending) return <Skeleton rows={3} />
  if (duplicates.error)
    return <ProblemState error={duplicates.error} part={texts.duplicates} retry={() => void duplicates.refetch()} />
  if (duplicates.data.length === 0) return <p className={styles.none}>{texts.noDuplicates}</p>
  const mayMerge = can(me, 'leads.write') && can(me, 'leads.delete')
  return (
    <ul className={styles.items}>
      {duplicates.data.map(({ entity_type: kind, record, match }) => (
        <li key={record.id}>
          <Avatar name={nameOfLead(record)} size="medium" />
          <div>
            <b>{nameOfLead(record)}</b>
            <small>
              {[texts.kinds[kind], record.company, record.email, texts.matches[match]].filter(Boolean).join(' · ')}
            </small>
          </div>
          {kind === 'lead' && (
            <>
              <Link to="/leads/$leadId" params={{ leadId: record.id }} className={styles.link}>
                {texts.open}
              </Link>
              {mayMerge && (
                <Button size="small" disabled={merge.isPending} onClick={() => merge.mutate(record.id)}>
                  {texts.merge}
                </Button>
              )}
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

async function mergeLead(id: string, duplicateId: string, key: string, mayUndo: boolean): Promise<void> {
  const params = { path: { lead_id: id } }
  const { lead, merge_id } = await read(
    api.POST('/api/leads/{lead_id}/merge', { params, headers: withKey(key), body: { duplicate_ids: [duplicateId] } }),
  )
  storeLead(lead)
  await refreshLeads()
  showToast(texts.mergedNote, {
    action: mayUndo ? { label: leadTexts.undo, run: () => void undoMerge(merge_id) } : undefined,
  })
}

async function undoMerge(mergeId: string): Promise<void> {
  try {
    const params = { path: { merge_id: mergeId } }
    const { ended_enrollments: ended } = await read(api.POST('/api/leads/merges/{merge_id}/undo', { params }))
    await refreshLeads()
    showToast(texts.undone(ended))
  } catch (error) {
    showRepeatableProblem(error, () => void undoMerge(mergeId))
  }
}
