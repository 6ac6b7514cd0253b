import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { useMe } from '../../../session/me.ts'
import { campaignTexts } from '../../../texts/en/campaign-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toast.tsx'
import {
  type Campaign,
  changeStatus,
  deleteCampaign,
  forgetCampaign,
  refreshCampaigns,
  storeCampaign,
} from '../campaign-queries.ts'

const { end: texts, actions, changed } = campaignTexts

type EndAction = 'complete' | 'cancel' | 'archive' | 'delete'
type EndDialogProps = { campaign: Campaign; action: EndAction; close: () => void; leave: () => void }

const nextStatus = { complete: 'completed', cancel: 'cancelled', archive: 'archived' } as const

/** Asks before a campaign ends, with the number of people that it has. */
export function EndDialog({ campaign, action, close, leave }: EndDialogProps) {
  const { locale } = useMe()
  const { id, name, member_count: members } = campaign
  const form = useForm(async () => {
    if (action === 'delete') {
      await deleteCampaign(campaign)
      close()
      leave()
      showToast(campaignTexts.deleted(name))
      return forgetCampaign(id)
    }
    const saved = await changeStatus(campaign, nextStatus[action])
    storeCampaign(saved)
    close()
    showToast(changed[saved.status](name))
    await refreshCampaigns()
  }, campaignTexts.problem)
  const text = formatNumber(members, locale)
  const words = {
    complete: { title: texts.completeTitle(name), submit: actions.complete, text: texts.closed(members, text) },
    cancel: { title: texts.cancelTitle(name), submit: actions.cancel, text: texts.closed(members, text) },
    archive: { title: texts.archiveTitle(name), submit: actions.archive, text: texts.archived(members, text) },
    delete: { title: texts.deleteTitle(name), submit: actions.remove, text: texts.deleted(members, text) },
  }[action]
  return (
    <FormDialog
      title={words.title}
      submit={words.submit}
      variant={action === 'complete' ? 'primary' : 'danger'}
      form={form}
      close={close}
    >
      <p>{words.text}</p>
    </FormDialog>
  )
}
