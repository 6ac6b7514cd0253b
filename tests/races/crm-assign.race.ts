import { type Race, runConcurrently } from './race.ts'

const url = '/api/leads/'

/** Round-robin assignment must give concurrent leads to different owners. */
export const concurrentAssignments: Race = {
  name: 'leads assigned concurrently',
  async prepare(app) {
    const acme = await app.tenant()
    const owners = [await acme.person('member'), await acme.person('member'), await acme.person('member')]
    const owner_ids = owners.map(({ userId }) => userId)
    await acme.manager.put(`${url}settings`, { assignment: { mode: 'round_robin', owner_ids } })
    return async () => {
      const createLead = () => acme.member.post(url, { last_name: 'Raced' })

      const responses = await runConcurrently(createLead, createLead, createLead)

      if (responses.some(({ status }) => status !== 201)) return { violation: responses.map(({ text }) => text).join() }
      const assigned = responses.map(({ body }) => owner_ids.indexOf(body.owner_id))
      if (new Set(assigned).size !== 3) return { violation: `assigned to ${assigned}` }
      return { outcome: assigned.join() }
    }
  },
}

/** A lead deleted during a bulk update must be either updated before its deletion or reported as not found. */
export const bulkAgainstDelete: Race = {
  name: 'bulk update against deletion',
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      const ids: string[] = []
      for (let n = 0; n < 3; n++) ids.push((await acme.member.post(url, { last_name: 'Raced' })).body.id)
      const params = { status: 'working' }

      const [updated, deleted] = await runConcurrently(
        () => acme.member.post(`${url}bulk`, { action: 'set_status', lead_ids: ids, params }),
        () => acme.member.delete(`${url}${ids[1]}`),
      )

      if (updated.status !== 200 || deleted.status !== 204) return { violation: `${updated.text} ${deleted.text}` }
      const { outcome, code } = updated.body.results[1]
      const { rows } = await acme.sql('select status, deleted_at from crm.leads where id = $1', [ids[1]])
      const eventRows = await acme.sql(
        `select type from platform.outbox_events where subject_id = $1 and type in ('lead.status_changed', 'lead.deleted') order by id`,
        [ids[1]],
      )
      const events = eventRows.rows.map(({ type }) => type).join()
      const { status, deleted_at } = rows[0]
      if (
        updated.body.results.filter((result: { outcome: string }) => result.outcome === 'ok').length < 2 ||
        !deleted_at
      )
        return { violation: updated.text }
      if (outcome === 'ok' && status === 'working' && events === 'lead.status_changed,lead.deleted')
        return { outcome: 'update first' }
      if (code === 'not_found' && status === 'new' && events === 'lead.deleted') return { outcome: 'deletion first' }
      return { violation: `${outcome} ${code} ${status} ${events}` }
    }
  },
}

/** The same for contacts and their tags. */
export const contactBulkAgainstDelete: Race = {
  name: 'bulk update of contacts against deletion',
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      const contacts = '/api/contacts/'
      const ids: string[] = []
      for (let n = 0; n < 3; n++)
        ids.push((await acme.member.post(contacts, { last_name: 'Raced', owner_id: acme.member.userId })).body.id)
      const params = { tags: ['raced'] }

      const [updated, deleted] = await runConcurrently(
        () => acme.member.post(`${contacts}bulk`, { action: 'add_tags', contact_ids: ids, params }),
        () => acme.member.delete(`${contacts}${ids[1]}`),
      )

      const outcomes = updated.body.results?.map(({ outcome }: { outcome: string }) => outcome).join()
      const { rows } = await acme.sql('select tags, deleted_at from crm.contacts where id = $1', [ids[1]])
      const { rows: stored } = await acme.sql(
        'select count(*)::integer as tags from crm.record_tags where record_id = $1',
        [ids[1]],
      )
      const [{ tags, deleted_at }] = rows
      const state = `${outcomes} ${tags} ${stored[0].tags} ${deleted_at !== null} ${deleted.status}`
      if (state === 'ok,ok,ok raced 1 true 204') return { outcome: 'update first' }
      if (state === 'ok,failed,ok  0 true 204') return { outcome: 'deletion first' }
      return { violation: state }
    }
  },
}
