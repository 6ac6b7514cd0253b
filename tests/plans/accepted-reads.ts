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
    maxBuffers: 5_000,
    reason: 'A report has no room of its own, so the threads of all open reports are read.',
  },
  {
    text: /"enablement"\."rooms"|enablement\.rooms/,
    maxBuffers: 4_000,
    reason: 'Few rooms are filtered by type or template; their count stops at 1,001.',
  },
  {
    text: /"enablement"\."content_items"/,
    maxBuffers: 600,
    reason: 'Each item of a page looks up its version, statistics and replacement.',
  },
  {
    text: /"crm"\."leads"\."id" = any \(\$1::uuid\[\]\)/,
    maxBuffers: 3_000,
    reason: 'Leads that a search found are read one by one.',
  },
  {
    text: /crm\.leads\.created_on <= \$1::date limit 10001/,
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
    maxBuffers: 1_000,
    reason: 'The memberships of the contacts are read before the campaign is compared.',
  },
  {
    text: /identity\.auth_context/,
    maxBuffers: 1_000,
    reason: 'The first call of the function in a session reads the catalogue.',
  },
]

export const isAccepted = ({ text, buffers }: { text: string; buffers: number }): boolean =>
  acceptedReads.some((read) => read.text.test(text) && buffers <= read.maxBuffers)
