/** Who may be sent email, in plain memory. An address is only what was said about it, and a person is what records were joined. */
type Status = 'unknown' | 'subscribed' | 'bounced' | 'out'
type Address = { status: Status; mergeId?: string; before?: Status }
export type ModelRecord = {
  id: string
  kind: 'lead' | 'contact'
  email: string | null
  /** The opt-out of a record without an address. */
  isOut: boolean
  isDeleted: boolean
  mergedInto?: string
  linked?: string
}
type Merge = { primary: string; ids: string[]; before: Pick<ModelRecord, 'email' | 'isOut'>; email: string | null }

export function createConsentModel() {
  const addresses = new Map<string, Address>()
  const records = new Map<string, ModelRecord>()
  const merges = new Map<string, Merge>()
  const at = (email: string): Address => addresses.get(email) ?? { status: 'unknown' }
  const isOut = ({ email, isOut: own }: ModelRecord) => (email === null ? own : at(email).status === 'out')
  const optOut = (email: string) => addresses.set(email, { status: 'out' })
  const give = (record: ModelRecord, email: string | null, out: boolean) => {
    Object.assign(record, { email, isOut: email === null && out })
    if (email !== null && out) optOut(email)
  }
  return {
    records,
    merges,
    answer: (email: string): string =>
      ({ unknown: 'allowed', subscribed: 'allowed', bounced: 'bounced', out: 'opted_out' })[at(email).status],
    create: (id: string, kind: ModelRecord['kind'], email: string | null) =>
      records.set(id, { id, kind, email, isOut: false, isDeleted: false }),
    edit: (record: ModelRecord, email: string | null) => email !== record.email && give(record, email, isOut(record)),
    optOut,
    optIn: (email: string) => addresses.set(email, { status: 'subscribed' }),
    bounce: (email: string) => addresses.set(email, { status: at(email).status === 'out' ? 'out' : 'bounced' }),
    reset: (email: string) => at(email).status === 'bounced' && addresses.set(email, { status: 'unknown' }),
    mergeContacts(primary: ModelRecord, other: ModelRecord, email: string | null) {
      give(primary, email, isOut(primary) || isOut(other))
      Object.assign(other, { isDeleted: true, mergedInto: primary.id })
    },
    mergeLeads(mergeId: string, primary: ModelRecord, others: ModelRecord[], email: string | null) {
      const out = [primary, ...others].some(isOut)
      merges.set(mergeId, { primary: primary.id, ids: others.map(({ id }) => id), before: { ...primary }, email })
      for (const other of others) Object.assign(other, { isDeleted: true, mergedInto: primary.id })
      Object.assign(primary, { email, isOut: email === null && out })
      if (email === null || !out) return
      const { status, mergeId: earlier } = at(email)
      if (status !== 'out' || earlier) addresses.set(email, { status: 'out', mergeId, before: status })
    },
    undo(mergeId: string) {
      const { primary: id, ids, before, email } = merges.get(mergeId)!
      const primary = records.get(id)!
      const inPrimary = [...records.values()].filter(({ mergedInto }) => mergedInto === id)
      for (const record of inPrimary)
        if (ids.includes(record.id)) Object.assign(record, { isDeleted: false, mergedInto: undefined })
      const staysOut = inPrimary.some((record) => record.mergedInto && isOut(record))
      if (email !== null && at(email).mergeId === mergeId && !staysOut)
        addresses.set(email, { status: at(email).before! })
      if (primary.email === email) give(primary, before.email, staysOut || (before.email === null && before.isOut))
      else if (staysOut) give(primary, primary.email, true)
      merges.delete(mergeId)
    },
    convert(lead: ModelRecord, contact: ModelRecord, email: string | null) {
      give(contact, email, isOut(lead) || isOut(contact))
      lead.linked = contact.id
      contact.linked ??= lead.id
    },
    erase(record: ModelRecord, isKept: boolean) {
      const [ids, emails] = [new Set([record.id]), new Set<string>()]
      for (let size = 0; size !== ids.size + emails.size; ) {
        size = ids.size + emails.size
        for (const { id, email, mergedInto, linked } of records.values()) {
          const isKnown =
            [id, mergedInto, linked].some((other) => other && ids.has(other)) || (email && emails.has(email))
          if (!isKnown) continue
          for (const other of [id, mergedInto, linked]) if (other) ids.add(other)
          if (email) emails.add(email)
        }
      }
      for (const email of emails) addresses.set(email, { status: isKept ? 'out' : 'unknown' })
      for (const id of ids) records.delete(id)
      for (const [id, merge] of merges) if (ids.has(merge.primary)) merges.delete(id)
    },
  }
}
