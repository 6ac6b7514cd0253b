import { atOnce, type Race } from './race.ts'

const url = '/api/leads/'

/** However many leads come at once, nobody gets two more than anybody else. */
export const leadsGivenOut: Race = {
  name: 'leads given out at once',
  async openLane(world) {
    const acme = await world.tenant()
    const owners = [await acme.person('member'), await acme.person('member'), await acme.person('member')]
    const owner_ids = owners.map(({ userId }) => userId)
    await acme.manager.put(`${url}settings`, { assignment: { mode: 'round_robin', owner_ids } })
    return async () => {
      const capture = () => acme.member.post(url, { last_name: 'Raced' })

      const answers = await atOnce(capture, capture, capture)

      if (answers.some(({ status }) => status !== 201)) return { violated: answers.map(({ text }) => text).join() }
      const got = answers.map(({ body }) => owner_ids.indexOf(body.owner_id))
      if (new Set(got).size !== 3) return { violated: `given to ${got}` }
      return { ended: got.join() }
    }
  },
}

/** Of leads that are deleted while many are changed, each was changed before it went or not at all, and is told so. */
export const bulkAgainstDelete: Race = {
  name: 'bulk change against deletion',
  async openLane(world) {
    const acme = await world.tenant()
    return async () => {
      const ids: string[] = []
      for (let n = 0; n < 3; n++) ids.push((await acme.member.post(url, { last_name: 'Raced' })).body.id)
      const params = { status: 'working' }

      const [changed, deleted] = await atOnce(
        () => acme.member.post(`${url}bulk`, { action: 'set_status', lead_ids: ids, params }),
        () => acme.member.delete(`${url}${ids[1]}`),
      )

      if (changed.status !== 200 || deleted.status !== 204) return { violated: `${changed.text} ${deleted.text}` }
      const { outcome, code } = changed.body.results[1]
      const { rows } = await acme.sql('select status, deleted_at from crm.leads where id = $1', [ids[1]])
      const told = await acme.sql(
        `select type from platform.outbox_events where subject_id = $1 and type in ('lead.status_changed', 'lead.deleted') order by id`,
        [ids[1]],
      )
      const events = told.rows.map(({ type }) => type).join()
      const { status, deleted_at } = rows[0]
      if (changed.body.results.filter((one: { outcome: string }) => one.outcome === 'ok').length < 2 || !deleted_at)
        return { violated: changed.text }
      if (outcome === 'ok' && status === 'working' && events === 'lead.status_changed,lead.deleted')
        return { ended: 'change first' }
      if (code === 'not_found' && status === 'new' && events === 'lead.deleted') return { ended: 'deletion first' }
      return { violated: `${outcome} ${code} ${status} ${events}` }
    }
  },
}
