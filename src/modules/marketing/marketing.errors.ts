import type { ErrorCatalogue } from '#platform/errors'

export const marketingErrors: ErrorCatalogue = {
  already_enrolled: {
    status: 409,
    title: 'Enrolled person',
    description:
      'The person is already enrolled in the cadence, possibly as another record with the same email address.',
    remedy: 'Wait until the enrollment has ended, or end it.',
  },
  bounced: {
    status: 409,
    title: 'Bounced email address',
    description: 'An email to the address of the person was returned as undeliverable.',
    remedy: 'Correct the email address of the person.',
  },
  cadence_archived: {
    status: 409,
    title: 'Archived cadence',
    description: 'An archived cadence, its steps and its enrollments cannot be changed.',
    remedy: 'Create another cadence.',
  },
  cadence_has_enrollments: {
    status: 409,
    title: 'Cadence with enrollments',
    description: 'Only a draft into which no person was ever enrolled can be deleted.',
    remedy: 'Archive the cadence.',
  },
  cadence_not_active: {
    status: 409,
    title: 'Inactive cadence',
    description: 'Persons can be enrolled in active cadences only.',
    remedy: 'Activate the cadence first.',
  },
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
  in_other_cadence: {
    status: 409,
    title: 'Person in another cadence',
    description: 'The person is enrolled in as many cadences as the settings allow.',
    remedy: 'Wait until the other enrollment has ended, or end it.',
  },
  lead_unqualified: {
    status: 409,
    title: 'Unqualified lead',
    description: 'An unqualified lead cannot be enrolled in a cadence.',
    remedy: 'Change the status of the lead first.',
  },
  member_status_in_use: {
    status: 409,
    title: 'Member status in use',
    description: 'Members of the campaign have a status that the request removes. `member_status` has its key.',
    remedy: 'Give these members another status first.',
  },
  no_email: {
    status: 409,
    title: 'Missing email address',
    description: 'The first step of the cadence is an email, and the person has no email address.',
    remedy: 'Add an email address to the record.',
  },
  no_sender: {
    status: 409,
    title: 'Missing sender',
    description:
      'The person has no active sender: the request names none, and the record has no active owner, or the sender of the enrollment left.',
    remedy: 'Send `sender_id`, or assign an owner to the record.',
  },
  not_opted_in: {
    status: 409,
    title: 'Missing consent',
    description: 'The workspace sends email only to persons who have agreed to it.',
    remedy: 'Record the consent of the person first.',
  },
  not_ready: {
    status: 409,
    title: 'Incomplete cadence',
    description: 'The cadence cannot be activated yet. `reasons` lists what is missing.',
    remedy: 'Correct what `reasons` lists, then repeat the request.',
  },
  opted_out: {
    status: 409,
    title: 'Opted-out person',
    description:
      'A person who has opted out of marketing email cannot be added to a campaign in bulk or enrolled in a cadence.',
    remedy: 'If the person has consented since, update the consent of the record first.',
  },
  reenroll_too_early: {
    status: 409,
    title: 'Recently enrolled person',
    description: 'The person was enrolled in the cadence before, and may not be enrolled again yet or at all.',
    remedy: 'Wait until `reenroll_after_days` have passed, or change this setting of the cadence.',
  },
  segment_in_use: {
    status: 409,
    title: 'Segment in use',
    description: 'Rules of other segments or active flows use the segment. `used_by` lists them.',
    remedy: 'Change these rules and stop the flows first.',
  },
  segment_invalid: {
    status: 409,
    title: 'Invalid segment',
    description: 'The rules of the segment refer to something that no longer exists. `problems` lists the places.',
    remedy: 'Correct the rules of the segment with PATCH, then repeat the request.',
  },
  sender_not_allowed: {
    status: 403,
    title: 'Sender without consent',
    description:
      'Only managers, admins and leads of a team of a user can choose this user as a sender or give the enrollments of the user away, ' +
      'unless the user allows others to enroll persons in the sender settings.',
    remedy: 'Leave the sender out, choose yourself, or ask the user or a manager.',
  },
}
