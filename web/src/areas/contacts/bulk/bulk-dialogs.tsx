import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { findCampaigns } from '../../../patterns/find-campaigns.ts'
import type { StartBulk } from '../../../patterns/list/bulk/bulk-actions.tsx'
import { PersonPicker } from '../../../patterns/person-picker.tsx'
import { RecordPicker } from '../../../patterns/record-picker.tsx'
import { useMe } from '../../../session/me.ts'
import { contactBulkTexts as texts } from '../../../texts/en/contact-bulk-texts.ts'
import { contactRecordTexts } from '../../../texts/en/contact-record-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import type { BulkAction } from './describe-action.ts'
import { TagsDialog } from './tags-dialog.tsx'

export type BulkDialog = 'assign' | 'add_tags' | 'remove_tags' | 'campaign' | 'cadence'

type BulkDialogsProps = {
  dialog: BulkDialog | undefined
  count: number
  start: StartBulk<BulkAction>
  close: () => void
}

/** The questions for what the selected contacts get. */
export function BulkDialogs({ dialog, count, start, close }: BulkDialogsProps) {
  const me = useMe()
  const text = formatNumber(count, me.locale)
  const run = (action: BulkAction, target: string) => {
    close()
    start(action, { target })
  }
  if (dialog === 'assign')
    return (
      <PersonPicker
        title={texts.assignTitle(count, text)}
        first={[
          { id: me.id, name: me.name },
          { id: null, name: contactRecordTexts.noOwner },
        ]}
        choose={({ id, name }) => run({ action: 'assign', params: { owner_id: id } }, name)}
        close={close}
      />
    )
  if (dialog === 'add_tags' || dialog === 'remove_tags')
    return (
      <TagsDialog
        title={dialog === 'add_tags' ? texts.addTags : texts.removeTags}
        save={(tags) => run({ action: dialog, params: { tags } }, tags.join(', '))}
        close={close}
      />
    )
  if (dialog === 'campaign')
    return (
      <RecordPicker
        title={texts.confirm.add_to_campaign(count, text, texts.campaign)}
        texts={texts.campaigns}
        hasAvatars={false}
        queryKey={areaKeys.campaignSearch}
        find={findCampaigns}
        choose={({ id, name }) => run({ action: 'add_to_campaign', params: { campaign_id: id! } }, name)}
        close={close}
      />
    )
  if (dialog === 'cadence')
    return (
      <RecordPicker
        title={texts.confirm.enroll_cadence(count, text, texts.cadence)}
        texts={texts.cadences}
        hasAvatars={false}
        queryKey={areaKeys.cadences.active}
        find={findActiveCadences}
        choose={({ id, name }) => run({ action: 'enroll_cadence', params: { cadence_id: id! } }, name)}
        close={close}
      />
    )
  return null
}

const mostFound = 20

async function findActiveCadences(text: string, signal: AbortSignal): Promise<Choice[]> {
  const query = {
    search: text || undefined,
    status: ['active' as const],
    limit: mostFound,
    count: 'none' as const,
  }
  const { items } = await read(api.GET('/api/cadences/', { params: { query }, signal }))
  return items.map(({ id, name }) => ({ id, name }))
}
