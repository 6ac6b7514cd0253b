import { isDeepStrictEqual } from 'node:util'
import { startWorkerProcess } from '#testing'
import { killWorkers } from './kill-workers.ts'
import type { Soak, SoakOptions, TestApp, TestWorkspace } from './soak.ts'
import { startTaskMonitor } from './task-monitor.ts'

/** Adds members by a task while its workers are killed twice: exact counts, and no person is added twice. */
export const campaignMembersKilledTwice: Soak = {
  name: 'campaign-members with two killed workers',
  sizes: { nightly: 5_000, full: 10_000 },
  run: runCampaignMembersSoak,
}

const kills = 2

async function runCampaignMembersSoak(app: TestApp, { size, isShort, report }: SoakOptions): Promise<string[]> {
  const acme = await app.tenant()
  const leadIds = await insertLeads(acme, size)
  const { body: campaign } = await acme.member.post('/api/campaigns/', { name: 'Launch', type: 'email' })
  const url = `/api/campaigns/${campaign.id}/members`
  const known = leadIds.slice(0, 100)
  await acme.member.post(url, { lead_ids: known })
  const startWorker = () => startWorkerProcess(app.config)
  const first = await startWorker()

  const started = await acme.member.post(url, { lead_ids: leadIds, status: 'clicked' })
  if (started.status !== 202) return [started.text]
  const task = startTaskMonitor(acme, started.body)
  const worker = await killWorkers(app, acme, task, first, { startWorker, size, kills, isShort })
  const { body, violations, seconds, idleSeconds } = await task.ended
  await worker.kill()
  report(
    `${size} members in ${seconds.toFixed(1)} s, of which ${idleSeconds.toFixed(1)} s until killed workers were replaced`,
  )
  const added = size - known.length
  const expected = { added, already_member: known.length, failed_count: 0, failed: [] }
  const rows = await readRows(acme, campaign.id)
  const { member_count, responded_count } = (await acme.member.get(`/api/campaigns/${campaign.id}`)).body
  const counts = { ...rows, member_count, responded_count }
  const isExact =
    rows.members === size &&
    rows.persons === size &&
    [rows.responses, rows.announced, responded_count].every((count) => count === added)
  return [
    ...violations,
    ...(body.state === 'succeeded' ? [] : [`unexpected end: ${JSON.stringify(body)}`]),
    ...(isDeepStrictEqual(body.result, expected) ? [] : [`unexpected result: ${JSON.stringify(body.result)}`]),
    ...(isExact && member_count === size ? [] : [`unexpected counts: ${JSON.stringify(counts)}`]),
  ]
}

async function insertLeads(acme: TestWorkspace, size: number): Promise<string[]> {
  const { rows } = await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, source, search_text, created_at, created_on)
     select $1, gen_random_uuid(), 'Lead ' || n, 'import', ' lead ' || n, now(), current_date
     from generate_series(1, $2::integer) n returning id`,
    [acme.id, size],
  )
  return rows.map(({ id }) => id)
}

/** Members, responses on the timelines, and members in the events of responses. */
async function readRows(acme: TestWorkspace, campaignId: string) {
  const { rows } = await acme.sql(
    `select count(*)::integer as members, count(distinct lead_id)::integer as persons,
       (select count(*)::integer from crm.activities where tenant_id = $1 and type = 'campaign_responded') as responses,
       (select sum(jsonb_array_length(data -> 'members'))::integer from platform.outbox_events
        where tenant_id = $1 and type = 'campaign.member_responded') as announced
     from marketing.campaign_members where campaign_id = $2`,
    [acme.id, campaignId],
  )
  return rows[0] as { members: number; persons: number; responses: number; announced: number }
}
