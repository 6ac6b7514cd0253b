import type { ErrorCatalogue } from '#platform/errors'

export const marketingErrors: ErrorCatalogue = {
  campaign_archived: {
    status: 409,
    title: 'Archived campaign',
    description: 'An archived campaign and its members cannot be changed, except for tags and description.',
    remedy: 'Create another campaign.',
  },
  campaign_closed: {
    status: 409,
    title: 'Closed campaign',
    description: 'Members cannot be added to a campaign that is completed, cancelled or archived.',
    remedy: 'Reactivate the campaign, or use another one.',
  },
  campaign_has_closed_deals: {
    status: 409,
    title: 'Campaign with closed deals',
    description:
      'A campaign that influenced a closed deal cannot be deleted, because the attribution of closed deals does not change.',
    remedy: 'Archive the campaign.',
  },
  campaign_has_members: {
    status: 409,
    title: 'Campaign with members',
    description: 'A campaign that has members cannot be deleted unless it is a draft, and its type cannot change.',
    remedy: 'Archive the campaign, or remove its members first.',
  },
  member_status_in_use: {
    status: 409,
    title: 'Member status in use',
    description: 'Members of the campaign have a status that the request removes. `member_status` has its key.',
    remedy: 'Give these members another status first.',
  },
  opted_out: {
    status: 409,
    title: 'Opted-out person',
    description: 'A person who has opted out of marketing email cannot be added to a campaign in bulk.',
    remedy: 'If the person has consented since, update the consent of the record first.',
  },
  segment_invalid: {
    status: 409,
    title: 'Invalid segment',
    description: 'The rules of the segment refer to something that no longer exists. `problems` lists the places.',
    remedy: 'Correct the rules of the segment with PATCH, then repeat the request.',
  },
  segment_in_use: {
    status: 409,
    title: 'Segment in use',
    description: 'Rules of other segments or active flows use the segment. `used_by` lists them.',
    remedy: 'Change these rules and stop the flows first.',
  },
}
