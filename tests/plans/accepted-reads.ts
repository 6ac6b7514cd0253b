type AcceptedRead = { text: RegExp; maxBuffers: number; reason: string }

/** Statements that may read more than their best plan, up to a limit. */
const acceptedReads: readonly AcceptedRead[] = [
  {
    text: /from marketing\.enrichment_jobs where status = wanted\.status and entity_type/,
    maxBuffers: 50_000,
    reason:
      'All copied jobs have one type, so the filter finds nothing; with several types the planner prefers the index by type.',
  },
  {
    text: /from "community"\."reports"/,
    maxBuffers: 12_000,
    reason: 'A report has no room of its own, so the threads of all open reports are read.',
  },
  {
    text: /"enablement"\."rooms"|enablement\.rooms/,
    maxBuffers: 4_000,
    reason: 'Few rooms are filtered by type or template; their count stops at 1,001.',
  },
  {
    text: /"enablement"\."content_items"/,
    maxBuffers: 10_000,
    reason:
      'Each of some thousand items looks up its version, statistics and replacement, if a filter is not in the index.',
  },
  {
    text: /"crm"\."leads"\."id" = any \(\$1::uuid\[\]\)/,
    maxBuffers: 40_000,
    reason: 'At most 10,000 leads that a search found are read one by one.',
  },
  {
    text: /crm\.leads\.created_on [<>]= \$1::date limit 10001/,
    maxBuffers: 10_000,
    reason: 'At most 10,001 leads are read, whichever index is used.',
  },
  {
    text: /"marketing"\."segments"|"identity"\."connected_apps"|"operations"\."webhook_endpoints"/,
    maxBuffers: 2_000,
    reason: 'A workspace has at most some hundred of them; the plan database has thousands.',
  },
  {
    text: /marketing\.campaign_members where contact_id = any/,
    maxBuffers: 20_000,
    reason: 'The memberships of the persons that a search found are read before the campaign is compared.',
  },
  {
    text: /identity\.auth_context/,
    maxBuffers: 1_000,
    reason: 'The first call of the function in a session reads the catalogue.',
  },
  {
    text: /"enablement"\."(expert_requests|learning_paths|coaching_scenarios)"/,
    maxBuffers: 11_000,
    reason:
      'All copies have one status and one type, so the filter finds nothing; the plan tests of the modules show the index.',
  },
  {
    text: /"enablement"\."(learning_enrollments|pitch_submissions|coaching_sessions)"/,
    maxBuffers: 3_000,
    reason: 'All copies belong to two users, so the planner expects few rows of a user and finds thousands.',
  },
  {
    text: /not exists \(select from enablement\.pitch_reviews review/,
    maxBuffers: 45_000,
    reason: 'Thousands of copies wait for a review; the queue of a workspace has some dozen.',
  },
  {
    text: /join enablement\.enrollment_modules result/,
    maxBuffers: 100_000,
    reason: 'A job reads the modules of all enrollments of its users; all copies belong to two users.',
  },
  {
    text: /from "crm"\."opportunities" as "deal" left join "crm"\."accounts"/,
    maxBuffers: 25_000,
    reason: 'A job reads the deals of a workspace in the order of their ids, with the account of each.',
  },
  {
    text: /from plg\.first_days where generation/,
    maxBuffers: 400,
    reason: 'One row per day of the period is read.',
  },
]

export const isAccepted = ({ text, buffers }: { text: string; buffers: number }): boolean =>
  acceptedReads.some((read) => read.text.test(text) && buffers <= read.maxBuffers)
