import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mergeLeads, undoLeadMerge } from '../../api/access.gen.ts'
import { useIntent } from '../../api/intent.ts'
import { showRepeatableProblem } from '../../patterns/show-problem.ts'
import { NoPermissionPage } from '../../patterns/states.tsx'
import { may, mayDelete, useMe } from '../../session/me.ts'
import { mergeTexts as texts } from '../../texts/en/merge-texts.ts'
import { showToast } from '../../ui/toasts.ts'
import { leadFields } from './compared-fields.ts'
import { ConfirmMerge } from './confirm-merge.tsx'
import { MergeForm, MergePage } from './merge-page.tsx'
import { comparedLeadQuery, type Lead, type Preferences, requestLeadMerge, requestMergeUndo } from './merge-queries.ts'

const route = getRouteApi('/leads/$leadId/merge')

export function MergeLeadsPage() {
  const me = useMe()
  return may(me, mergeLeads) ? <ComparedLeads /> : <NoPermissionPage area={texts.leads} scope="leads.delete" />
}

function ComparedLeads() {
  const { leadId } = route.useParams()
  const { with: otherId = leadId } = route.useSearch()
  const [kept, other] = [useQuery(comparedLeadQuery(leadId)), useQuery(comparedLeadQuery(otherId))]
  return (
    <MergePage title={texts.leads} path={`/leads/${leadId}`} search={{ tab: 'duplicates' }} records={[kept, other]}>
      {(records) => <Leads key={leadId} records={records} />}
    </MergePage>
  )
}

const nameOf = ({ name, email, company }: Lead): string => name ?? email ?? company ?? texts.noName

function Leads({ records }: { records: readonly [Lead, Lead] }) {
  const me = useMe()
  const navigate = useNavigate()
  const intent = useIntent()
  const [toConfirm, setToConfirm] = useState<Preferences>()
  const [kept, other] = records
  const mayUndo = may(me, undoLeadMerge)
  const merge = useMutation({
    mutationFn: (prefer: Preferences) =>
      requestLeadMerge({ keptId: kept.id, otherId: other.id, prefer }, intent.keyOf([kept.id, other.id, prefer])),
    onSuccess: (mergeId) => {
      intent.end()
      const undo = { label: texts.undo, run: () => void undoMerge(mergeId) }
      showToast(texts.merged(nameOf(kept)), { action: mayUndo ? undo : undefined })
      void navigate({ to: '/leads/$leadId', params: { leadId: kept.id } })
    },
    onError: (error, prefer) => showRepeatableProblem(error, () => merge.mutate(prefer)),
  })
  const isAllowed = records.every(({ owner_id }) => mayDelete(me, 'leads', owner_id))
  return (
    <>
      <MergeForm
        records={records}
        nameOf={nameOf}
        fields={leadFields(me.locale)}
        effects={[
          texts.activitiesMove,
          texts.tagsAreCombined,
          texts.customValues,
          texts.optOuts,
          texts.enrollmentsEnd,
          mayUndo ? texts.canBeUndone : texts.managersCanUndo,
        ]}
        swapped={{ to: `/leads/${other.id}/merge`, search: { with: kept.id } }}
        refusal={kept.id === other.id ? texts.sameRecord : isAllowed ? undefined : texts.onlyOwn}
        isPending={merge.isPending}
        merge={mayUndo ? merge.mutate : setToConfirm}
      />
      {toConfirm && (
        <ConfirmMerge
          text={texts.confirmLead(nameOf(kept))}
          merge={() => merge.mutate(toConfirm)}
          close={() => setToConfirm(undefined)}
        />
      )}
    </>
  )
}

async function undoMerge(mergeId: string): Promise<void> {
  try {
    showToast(texts.undone(await requestMergeUndo(mergeId)))
  } catch (error) {
    showRepeatableProblem(error, () => void undoMerge(mergeId))
  }
}
