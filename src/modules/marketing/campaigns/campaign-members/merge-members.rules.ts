export type MergeableMember = {
  id: string
  campaign_id: string
  lead_id: string | null
  contact_id: string | null
  status: string
  first_touched_at: Date
  responded_at: Date | null
}

export type MemberState = Pick<MergeableMember, 'status' | 'first_touched_at' | 'responded_at'>

/** The earliest touch and response of one person count; the status of the row that has responded is kept. */
export function mergeStates(kept: MergeableMember, other: MergeableMember): MemberState {
  const takesStatus = kept.responded_at === null && other.responded_at !== null
  return {
    status: takesStatus ? other.status : kept.status,
    first_touched_at: earlierOf(kept.first_touched_at, other.first_touched_at)!,
    responded_at: earlierOf(kept.responded_at, other.responded_at),
  }
}

function earlierOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one <= other ? one : other
}

export type MemberMerge = {
  kept: MergeableMember
  removed: MergeableMember
  state: MemberState
  lead_id: string | null
}

/** Pairs the rows of a converted lead with those of its contact in the same campaign; the others become rows of the contact. */
export function planConversion(
  members: readonly MergeableMember[],
  { leadId, contactId }: { leadId: string; contactId: string },
): { merges: MemberMerge[]; linked: MergeableMember[] } {
  const ofContact = new Map(
    members.filter(({ contact_id }) => contact_id === contactId).map((member) => [member.campaign_id, member]),
  )
  const ofLead = members.filter(({ lead_id, contact_id }) => lead_id === leadId && contact_id !== contactId)
  const merges = ofLead.flatMap((removed) => {
    const kept = ofContact.get(removed.campaign_id)
    return kept ? [{ kept, removed, state: mergeStates(kept, removed), lead_id: kept.lead_id ?? leadId }] : []
  })
  return { merges, linked: ofLead.filter(({ campaign_id }) => !ofContact.has(campaign_id)) }
}

/** Pairs the rows that stayed with merged records with those of the surviving record. */
export function planMerges(
  members: readonly MergeableMember[],
  survives: (member: MergeableMember) => boolean,
): MemberMerge[] {
  const states = new Map(members.filter(survives).map((member) => [member.campaign_id, member]))
  return members
    .filter((member) => !survives(member))
    .flatMap((removed) => {
      const kept = states.get(removed.campaign_id)
      if (!kept) return []
      const state = mergeStates(kept, removed)
      const lead_id = kept.lead_id ?? removed.lead_id
      states.set(kept.campaign_id, { ...kept, ...state, lead_id })
      return [{ kept, removed, state, lead_id }]
    })
}
