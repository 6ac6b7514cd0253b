import type { startTestApp, TestResponse } from '#testing'
import { waitForTask } from '#testing'

export type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

export const person = {
  first_name: 'Zephyrine',
  last_name: 'Quackenbush',
  email: 'Unmistakable.Person@gmail.com',
  phone: '+44 20 7946 0958',
}
const otherEmail = 'unmistakable.other@gmail.com'
export const markers = ['zephyrine', 'quackenbush', 'unmistakable', '7946 0958', '442079460958', 'xyloquartz']

export const confirmation = { confirm: 'ERASE' }

export function bodyOf({ status, body }: TestResponse, expected = 201) {
  if (status !== expected) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

export async function eraseLeadOf(acme: Acme, leadId: string, body: object = confirmation) {
  return await waitForTask(acme, bodyOf(await acme.admin.post(`/api/leads/${leadId}/erase`, body), 202))
}

/** Creates a person in all tables: merged, deleted and converted records, a won deal, and what is stored about them. */
export async function createKnownPerson(acme: Acme) {
  const { admin } = acme
  let keys = 0
  const post = async (url: string, body: object, expected = 201) =>
    bodyOf(await admin.post(url, body, { 'idempotency-key': `known-person-${++keys}` }), expected)
  const text = 'Met Zephyrine Quackenbush (unmistakable.person@gmail.com)'

  for (const object_type of ['lead', 'contact', 'account', 'opportunity'])
    await post('/api/custom-fields/', {
      object_type,
      key: 'nickname',
      label: 'Nickname',
      type: 'text',
      is_personal: true,
      is_unique: object_type !== 'opportunity',
      is_filterable: true,
      is_searchable: true,
    })
  const details = {
    title: 'VP Xyloquartz',
    linkedin_url: 'https://linkedin.example/in/zephyrine',
    city: 'Xyloquartz',
  }
  const lead = await post('/api/leads/', {
    ...person,
    ...details,
    source_detail: text,
    notes: text,
    tags: ['vip', 'friend of Zephyrine Quackenbush'],
    utm: { source: 'xyloquartz' },
    custom: { nickname: 'Xyloquartz' },
  })
  const activity = await post(`/api/leads/${lead.id}/activities`, { type: 'note', subject: text, body: text })
  await post(`/api/leads/${lead.id}/activities`, { type: 'call', body: text, meta: { about: text }, external_id: text })
  bodyOf(await admin.patch(`/api/leads/${lead.id}/activities/${activity.id}`, { body: `${text} again` }), 200)
  const gone = await post(`/api/leads/${lead.id}/activities`, { type: 'note', body: text })
  bodyOf(await admin.patch(`/api/leads/${lead.id}/activities/${gone.id}`, { body: 'Only xyloquartz' }), 200)
  bodyOf(await admin.delete(`/api/leads/${lead.id}/activities/${gone.id}`), 204)
  bodyOf(await admin.patch(`/api/leads/${lead.id}`, { lifecycle_stage: 'mql' }), 200)
  bodyOf(await admin.patch(`/api/leads/${lead.id}`, { lifecycle_stage: 'lead', stage_reason: text }), 200)

  const consent = { email_status: 'subscribed', basis: 'consent', source: text, evidence: text }
  bodyOf(await admin.put(`/api/leads/${lead.id}/consent`, consent), 200)

  const campaign = await post('/api/campaigns/', { name: 'Launch', type: 'event' })
  await post(`/api/campaigns/${campaign.id}/members`, { lead_ids: [lead.id], status: 'attended' }, 200)
  const members = bodyOf(await admin.get(`/api/campaigns/${campaign.id}/members`), 200)
  bodyOf(await admin.patch(`/api/campaigns/${campaign.id}/members/${members.items[0].id}`, { note: text }), 200)
  const merged = await post('/api/leads/', { ...person, notes: text })
  const other = await post('/api/leads/', { ...person, email: otherEmail })
  await post(`/api/leads/${lead.id}/merge`, { duplicate_ids: [merged.id, other.id] }, 200)
  const deleted = await post('/api/leads/', { ...person, notes: text, website: 'https://quackenbush.example' })
  bodyOf(await admin.delete(`/api/leads/${deleted.id}`), 204)
  await post(`/api/leads/${lead.id}/ai-qualify`, {}, 200)
  await post(`/api/leads/${lead.id}/ai-draft`, {}, 200)
  await post(`/api/leads/${lead.id}/enrich`, {}, 200)

  const opportunity = { amount: { amount: '1250.00', currency: 'EUR' } }
  const conversion = await post(`/api/leads/${lead.id}/convert`, { create_opportunity: true, opportunity }, 200)
  const { contact, account, opportunity: deal } = conversion
  const duplicate = await post('/api/contacts/', {
    ...person,
    email: otherEmail,
    notes: text,
    department: 'Xyloquartz',
  })
  await post(`/api/contacts/${contact.id}/merge`, { duplicate_ids: [duplicate.id] }, 200)
  bodyOf(await admin.patch(`/api/contacts/${contact.id}`, { ...details, custom: { nickname: 'Xyloquartz' } }), 200)
  bodyOf(await admin.patch(`/api/accounts/${account.id}`, { notes: text, phone: person.phone }), 200)
  const dealTexts = { notes: text, next_step: text, custom: { nickname: 'Xyloquartz' }, stage_key: 'closed_won' }
  bodyOf(await admin.patch(`/api/opportunities/${deal.id}`, dealTexts), 200)
  await post(`/api/opportunities/${deal.id}/activities`, { type: 'note', body: text })

  await post('/api/leads/exports', { filter: { field: 'email', op: 'eq', value: person.email } }, 202)
  await post('/api/leads/exports', { query: { search: person.email } }, 202)
  await storePreferences(acme, lead.id)
  await askExpert(acme, post, account.id, text)
  await mentionElsewhere(acme, post, text)
  await sendUsage(acme)
  await createRoom(acme, post)
  await createSurvey(acme, post, text)
  await enrollInCadence(acme, lead.id, text)
  await insertPlatformRows(acme, lead.id, text)
  return { lead, merged, other, deleted, contact, duplicate, account, deal, activity }
}

/** A user has pinned the lead and stored a search for the person. */
async function storePreferences({ admin }: Acme, leadId: string) {
  const views = [
    { name: 'Her leads', search: new URLSearchParams({ q: person.email }).toString() },
    ...['Like Zephyrine Quackenbush', 'New'].map((name) => ({ name, search: 'status=new' })),
  ]
  const pinned = [`/leads/${leadId} Zephyrine Quackenbush`, '/segments Segments']
  const lists = { leads: { columns: ['name'], views } }
  bodyOf(await admin.put('/api/auth/preferences', { focus: null, pinned, collapsed: [], lists }), 200)
}

/** Texts about others and of segments and posts name the person. */
async function mentionElsewhere({ admin }: Acme, post: Post, text: string) {
  const moss = { last_name: 'Moss', notes: text }
  const others = { leads: { ...moss, source_detail: text }, contacts: moss, accounts: { name: 'Initech', notes: text } }
  for (const [kind, fields] of Object.entries(others)) {
    const { id } = await post(`/api/${kind}/`, fields)
    await post(`/api/${kind}/${id}/activities`, { type: 'note', subject: text, body: text })
  }
  const rules = { field: 'email', op: 'eq', value: person.email }
  await post('/api/segments', { object_type: 'lead', name: `Like ${text}`, description: text, rules })
  const room = await post('/api/enablement/rooms/', { name: 'Sales', room_type: 'community' })
  bodyOf(await admin.patch(`/api/enablement/rooms/${room.id}`, { status: 'active' }), 200)
  const thread = await post('/api/community/threads', { room_id: room.id, title: text, body: text })
  await post(`/api/community/threads/${thread.id}/replies`, { body: `**Yes**, ${text}` })
}

/** The person used the product of the workspace. */
async function sendUsage({ manager }: Acme) {
  const event = {
    event_id: 'known-person',
    name: 'signed_in',
    user_ref: 'zephyrine-7',
    occurred_at: new Date().toISOString(),
    user: { name: 'Zephyrine Quackenbush', email: person.email },
    properties: { note: 'Xyloquartz' },
  }
  bodyOf(await manager.post('/api/tenant/plg/events', { events: [event] }), 200)
}

type Post = (url: string, body: object) => Promise<{ id: string }>

/** The person is a recipient, visitor and assignee of a room. */
async function createRoom(acme: Acme, post: Post) {
  const { id: roomId } = await post('/api/enablement/rooms/', { name: 'Launch' })
  const assignee = { assignee_name: 'Zephyrine Quackenbush', assignee_email: person.email }
  const step = await post(`/api/enablement/rooms/${roomId}/plan`, { title: 'Sign', side: 'buyer', ...assignee })
  await acme.sql('update enablement.room_plan_steps set completed_by = $2 where id = $1', [step.id, person.email])
  const email = person.email.toLowerCase()
  const { rows } = await acme.sql(
    'update enablement.room_links set recipient_email = $2, allowed = $3, blocked = $3 where room_id = $1 returning id',
    [roomId, person.email, [email]],
  )
  await acme.sql(
    `insert into enablement.room_visitors (tenant_id, id, room_id, email, name, first_seen_at, last_seen_at)
     values ($1, gen_random_uuid(), $2, $3, 'Zephyrine Quackenbush', now(), now())`,
    [acme.id, roomId, person.email],
  )
  await acme.sql(
    `insert into enablement.room_codes (tenant_id, link_id, email_key, code_hash, expires_at)
     values ($1, $2, $3, sha256('code'), now() + interval '10 minutes')`,
    [acme.id, rows[0].id, email],
  )
}

/** The person is invited to a survey twice: one invitation has a response, the other a draft. */
async function createSurvey(acme: Acme, post: Post, text: string) {
  const { id: surveyId } = await post('/api/surveys/', { name: 'Feedback', survey_type: 'nps' })
  const recipient = { email: person.email, name: 'Zephyrine Quackenbush' }
  await acme.sql(
    `with sending as (
       insert into surveys.distributions (tenant_id, id, survey_id, audience, status, send_at, reminder_days, expires_in_days)
       values ($1, gen_random_uuid(), $2, $3, 'sent', now(), '{}', 30) returning id
     ), invited as (
       insert into surveys.invitations (tenant_id, id, survey_id, distribution_id, token_hash, email, name, language, status, expires_at)
       select $1, gen_random_uuid(), $2, id, sha256(status::bytea), $4, $5, 'en', status, now() + interval '1 day'
       from sending, unnest(array['responded', 'partial']) as status returning id, status
     ), drafted as (
       insert into surveys.drafts (tenant_id, holder_hash, survey_id, answers, language, started_at, saved_at, expires_at)
       values ($1, sha256('partial'), $2, jsonb_build_object('reason', $6::text), 'en', now(), now(), now() + interval '1 day')
     ), responded as (
       insert into surveys.responses (tenant_id, id, survey_id, invitation_id, channel, language, score, started_at, submitted_at, submitted_on)
       select $1, gen_random_uuid(), $2, id, 'email', 'en', 9, now(), now(), current_date from invited where status = 'responded'
       returning id
     )
     insert into surveys.answers (tenant_id, response_id, question_id, survey_id, question_revision, is_answered, value_text)
     select $1, responded.id, question.id, $2, 1, true, $6
     from responded, surveys.questions as question where question.survey_id = $2 and question.key = 'reason'`,
    [acme.id, surveyId, JSON.stringify({ emails: [recipient] }), person.email, recipient.name, text],
  )
}

/** The person waits for an email that the sender has written. */
async function enrollInCadence(acme: Acme, leadId: string, text: string) {
  const input = { name: 'Outreach', steps: [{ type: 'email_manual' }] }
  const { id, steps } = bodyOf(await acme.admin.post('/api/cadences/', input))
  await acme.sql(
    `with enrolled as (
       insert into marketing.cadence_enrollments (tenant_id, id, cadence_id, lead_id, person_email_key, current_step_id, enrolled_via)
       values ($1, gen_random_uuid(), $2, $3, lower($4), $5, 'manual') returning id
     )
     insert into marketing.cadence_step_runs (tenant_id, id, enrollment_id, cadence_id, step_id, run_at, subject, body)
     select $1, gen_random_uuid(), id, $2, $5, now() + interval '1 day', $6, $6 from enrolled`,
    [acme.id, id, leadId, person.email, steps[0].id, text],
  )
}

/** Inserts rows that no feature of the product writes yet. */
async function insertPlatformRows(acme: Acme, leadId: string, text: string) {
  const payload = JSON.stringify({ text })
  await acme.sql(
    `insert into crm.email_messages (tenant_id, id, kind, ref_id, to_address, to_key, to_name, lead_id, state, run_at, subject,
       body_text, body_html)
     values ($1, $2, 'newsletter', $2, $3, lower($3), $4, $2, 'sent', now(), $4, $4, $4),
       ($1, gen_random_uuid(), 'newsletter', $2, $3, lower($3), $4, null, 'waiting', now() + interval '1 day', null, null, null)`,
    [acme.id, leadId, person.email, text],
  )
  for (const statement of [
    `insert into crm.consent_projections (tenant_id, subject, channel, strictest_status) values ($1, lower($2), 'email', 'unknown')`,
    `insert into crm.suppression_uploads (tenant_id, upload_id, position, email) values ($1, gen_random_uuid(), 1, lower($2))`,
  ])
    await acme.sql(statement, [acme.id, person.email])
  const mapping = JSON.stringify([{ column: person.email, field: 'email' }])
  await acme.sql(
    `with import as (
       insert into crm.imports (tenant_id, id, object_type, filename, state, columns, mapping, options, row_count)
       values ($1, gen_random_uuid(), 'lead', $2, 'completed', $3, $4, jsonb_build_object('default_values', jsonb_build_object('notes', $2::text)), 1)
       returning id
     )
     insert into crm.import_rows (tenant_id, import_id, row_no, cells, errors, before)
     select $1, id, 2, $5, jsonb_build_array(jsonb_build_object('message', $2::text)), jsonb_build_object('email', $6::text) from import`,
    [acme.id, text, JSON.stringify([person.email]), mapping, JSON.stringify(['Zephyrine', person.email]), person.email],
  )
  await acme.sql(
    `with action as (
       insert into crm.bulk_actions (tenant_id, task_id, action) values ($1, gen_random_uuid(), 'update_fields') returning task_id
     )
     insert into crm.bulk_changes (tenant_id, task_id, lead_id, contact_id, version, before)
     select $1, task_id, lead.id, null, 1, jsonb_build_object('notes', $3::text)
     from action, unnest(array[$2::uuid, gen_random_uuid()]) as lead (id)
     union all select $1, task_id, null, gen_random_uuid(), 1, jsonb_build_object('notes', $3::text) from action`,
    [acme.id, leadId, text],
  )
  await acme.sql(
    `insert into crm.suppressions (tenant_id, subject_hash, subject, channel, reason, at, source)
     select $1, subject_hash, lower($2), 'email', 'complained', now(), 'test' from crm.consent_events
     where tenant_id = $1 and channel = 'email' and subject_hash is not null order by position limit 1
     on conflict (tenant_id, subject_hash, channel) do update set subject = excluded.subject, reason = excluded.reason`,
    [acme.id, person.email],
  )
  await acme.sql(
    `insert into platform.notifications (tenant_id, id, user_id, kind, payload, resource_type, resource_id, in_app, by_mail)
     values ($1, gen_random_uuid(), $2, 'lead.assigned', $3, 'lead', $4, true, false),
       ($1, gen_random_uuid(), $2, 'lead.assigned', $3, null, null, true, false)`,
    [acme.id, acme.member.userId, payload, leadId],
  )
  await acme.sql(
    `insert into platform.background_tasks (tenant_id, id, kind, title, state, result, created_via, finished_at)
     values ($1, gen_random_uuid(), 'test.done', $2, 'succeeded', $3, 'system', now())`,
    [acme.id, text, payload],
  )
  await acme.sql(
    `insert into platform.outbox_events (tenant_id, id, type, subject_type, subject_id, actor, origin, data)
     values ($1, $2, 'lead.status_changed', 'lead', $3, '{}', 'api', $4)`,
    [acme.id, leadId, leadId, payload],
  )
  await acme.sql(
    `insert into operations.webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, event, state, finished_at)
     values ($1, $2::uuid, $2::uuid, $2::uuid, 'lead.status_changed',
       jsonb_build_object('subject', jsonb_build_object('id', $2::uuid), 'data', $3::jsonb), 'succeeded', now())`,
    [acme.id, leadId, payload],
  )
}

async function askExpert(acme: Acme, post: Post, accountId: string, text: string): Promise<void> {
  const expert = await acme.person('member')
  await post('/api/enablement/experts/', { user_id: expert.userId, topics: ['pricing'] })
  const texts = { topic: 'pricing', subject: text, body: text, account_id: accountId }
  const { id } = await post('/api/enablement/experts/requests/', texts)
  const url = `/api/enablement/experts/requests/${id}`
  const changes = [
    [expert, { status: 'answered', answer: text }],
    [acme.admin, { status: 'in_progress', note: text }],
    [expert, { status: 'answered', answer: text }],
    [acme.admin, { rating: 5, rating_comment: text }],
  ] as const
  for (const [user, body] of changes) bodyOf(await user.patch(url, body), 200)
}
