import {
  addCampaignMembers,
  cloneCampaign,
  deleteCampaign,
  enrollSegment,
  updateCampaign,
} from '../../../api/access.gen.ts'
import { isManagerOrAdmin, type Me, may, mayDelete } from '../../../session/me.ts'
import { campaignTexts } from '../../../texts/en/campaign-texts.ts'
import type { Campaign } from '../campaign-queries.ts'
import { type CampaignStatus, canFollow, takesMembers } from '../campaign-status.ts'

export type DialogName = 'segment' | 'search' | 'cost' | 'complete' | 'cancel' | 'archive' | 'delete' | 'duplicate'
export type OpenDialog = (dialog: DialogName) => void

export type CampaignAction = { id: string; label: string; isOffered: boolean; run: () => void }

type ActionTools = { open: OpenDialog; setStatus: (status: CampaignStatus) => void; today: string }

const texts = campaignTexts.actions

/** Lists the ways to add people, which are none if the campaign has ended or the user may not. */
export const listWaysToAdd = (me: Me, campaign: Campaign): ('segment' | 'search')[] =>
  takesMembers(campaign)
    ? [
        ...(may(me, enrollSegment) && may(me, addCampaignMembers) ? (['segment'] as const) : []),
        ...(may(me, addCampaignMembers) ? (['search'] as const) : []),
      ]
    : []

export const mayRemoveMembers = (me: Me, { owner_id: ownerId }: Campaign): boolean =>
  mayDelete(me, 'campaigns', ownerId)

/** Lists all actions, of which those are offered that the user may take in the present status. */
export function listActions(me: Me, campaign: Campaign, { open, setStatus, today }: ActionTools) {
  const { status, start_on: start } = campaign
  const mayUpdate = may(me, updateCampaign)
  const can = (next: CampaignStatus) => mayUpdate && canFollow(status, next)
  const action = (id: string, label: string, isOffered: boolean, run: () => void): CampaignAction => ({
    id,
    label,
    isOffered,
    run,
  })
  const isPlanned = status === 'draft' || status === 'scheduled'
  return {
    add: action('add', texts.add, listWaysToAdd(me, campaign).length > 0, () => open(listWaysToAdd(me, campaign)[0]!)),
    activate: action('activate', texts.activate, isPlanned && can('active'), () => setStatus('active')),
    resume: action('resume', texts.resume, status === 'paused' && can('active'), () => setStatus('active')),
    reactivate: action(
      'reactivate',
      texts.reactivate,
      status === 'completed' && can('active') && isManagerOrAdmin(me),
      () => setStatus('active'),
    ),
    schedule: action('schedule', texts.schedule, can('scheduled') && start !== null && start > today, () =>
      setStatus('scheduled'),
    ),
    pause: action('pause', texts.pause, can('paused'), () => setStatus('paused')),
    complete: action('complete', texts.complete, can('completed'), () => open('complete')),
    cancel: action('cancel', texts.cancel, can('cancelled'), () => open('cancel')),
    archive: action('archive', texts.archive, can('archived'), () => open('archive')),
    duplicate: action('duplicate', texts.duplicate, may(me, cloneCampaign), () => open('duplicate')),
    remove: action('delete', texts.remove, mayRemove(me, campaign), () => open('delete')),
  }
}

/** The API deletes drafts and campaigns without people; others are archived. */
const mayRemove = (me: Me, { owner_id: ownerId, status, member_count: members }: Campaign): boolean =>
  may(me, deleteCampaign) && mayDelete(me, 'campaigns', ownerId) && (status === 'draft' || members === 0)
