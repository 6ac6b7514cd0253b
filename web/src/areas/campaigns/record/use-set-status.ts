import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isProblem } from '../../../api/problem.ts'
import { describeProblem, showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { campaignTexts as texts } from '../../../texts/en/campaign-texts.ts'
import { showToast } from '../../../ui/toast.tsx'
import { type Campaign, changeStatus, refreshCampaigns, storeCampaign } from '../campaign-queries.ts'
import { type CampaignStatus, canFollow } from '../campaign-status.ts'

/** Sets the status of a campaign. Undoing is offered where the API accepts the status before. */
export function useSetStatus(campaign: Campaign) {
  const navigate = useNavigate()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ status, from }: { status: CampaignStatus; from: Campaign }) => changeStatus(from, status),
    onSuccess(saved, { from }) {
      storeCampaign(saved)
      void refreshCampaigns()
      const undo = { label: texts.undo, run: () => mutate({ status: from.status, from: saved }) }
      const mayUndo = from.status !== 'completed' && canFollow(saved.status, from.status)
      showToast(texts.changed[saved.status](saved.name), { action: mayUndo ? undo : undefined })
    },
    onError(error, variables) {
      const reason = isProblem(error) && error.errors.map(({ path }) => reasonOfField[path]).find(Boolean)
      if (!reason) return showRepeatableProblem(error, () => mutate(variables), describeProblem(error, texts.problem))
      const toSettings = () =>
        void navigate({ to: '.', search: ((before: object) => ({ ...before, tab: 'settings' })) as never })
      showToast(reason, { tone: 'failed', action: { label: texts.toSettings, run: toSettings } })
    },
  })
  return {
    isPending,
    setStatus: (status: CampaignStatus) => mutate({ status, from: campaign }),
  }
}

const reasonOfField: Readonly<Record<string, string>> = { '/end_on': texts.overText, '/start_on': texts.startText }
