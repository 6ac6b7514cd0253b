/** An independent model of the attribution: it calculates every deal that is not frozen again, from plain memberships. */
export type ModelDeal = {
  id: string
  minor: number
  currency: 'EUR' | 'USD'
  baseMinor: number
  createdAt: number
  closedAt: number | null
  kind: 'open' | 'won' | 'lost'
  primary: string
  roles: Set<string>
  isDeleted: boolean
  isFrozen: boolean
  touches: { campaign: string; at: number }[]
}

export type ModelHistory = {
  contacts: string[]
  campaigns: string[]
  /** The keys name campaign and contact. */
  members: Map<string, { campaign: string; contact: string; touchedAt: number; respondedAt: number | null }>
  deals: ModelDeal[]
}

export type ModelSettings = { windowDays: number; basis: 'responded' | 'member' }

export const memberKey = (campaign: string, contact: string) => `${campaign} ${contact}`

export function attributeModel({ deals, members }: ModelHistory, settings: ModelSettings, now: number): void {
  for (const deal of deals.filter(({ isFrozen }) => !isFrozen)) {
    const persons = new Set([deal.primary, ...deal.roles])
    const first = new Map<string, number>()
    for (const { campaign, contact, touchedAt, respondedAt } of members.values()) {
      const at = settings.basis === 'member' ? touchedAt : respondedAt
      const isWithin =
        at !== null && at >= deal.createdAt - settings.windowDays * 86_400_000 && at <= (deal.closedAt ?? now)
      if (persons.has(contact) && isWithin) first.set(campaign, Math.min(at, first.get(campaign) ?? at))
    }
    deal.touches = [...first]
      .map(([campaign, at]) => ({ campaign, at }))
      .sort((one, other) => one.at - other.at || (one.campaign < other.campaign ? -1 : 1))
    deal.isFrozen = deal.kind !== 'open'
  }
}

/** One line per touch: deal, campaign, time, position, shares of the three models and state. */
export const describeModel = ({ deals }: ModelHistory): string[] =>
  deals.flatMap(({ id, baseMinor, kind, isFrozen, isDeleted, touches }) => {
    let given = 0
    return touches.map(({ campaign, at }, index) => {
      const linear = Math.ceil((baseMinor - given) / (touches.length - index))
      given += linear
      const [first, last] = [index === 0 ? baseMinor : 0, index === touches.length - 1 ? baseMinor : 0]
      const shares = `${index + 1}/${touches.length} ${first} ${last} ${linear}`
      return `${id} ${campaign} ${at} ${shares} ${kind} ${isFrozen} ${isDeleted}`
    })
  })

/** The campaign gets the earliest touch and response of both. */
export function mergeModelContacts({ members, deals }: ModelHistory, from: string, into: string): void {
  for (const [key, member] of [...members])
    if (member.contact === from) {
      const other = members.get(memberKey(member.campaign, into))
      const responses = [member.respondedAt, other?.respondedAt ?? null].filter((at) => at !== null)
      members.delete(key)
      members.set(memberKey(member.campaign, into), {
        ...member,
        contact: into,
        touchedAt: Math.min(member.touchedAt, other?.touchedAt ?? member.touchedAt),
        respondedAt: responses.length ? Math.min(...responses) : null,
      })
    }
  for (const deal of deals) {
    if (deal.primary === from) deal.primary = into
    if (deal.roles.delete(from)) deal.roles.add(into)
  }
}
