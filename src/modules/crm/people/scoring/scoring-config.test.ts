import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configUrl, configWith, configWithThreshold, startScoringApp } from './scoring.fixture.ts'

const { tenant, postExampleLead, postLead, countByConfigVersion } = await startScoringApp()

const problems = (body: { errors?: { path: string; code: string }[] }) =>
  body.errors?.map(({ path, code }) => `${path} ${code}`)

test('a workspace starts with a default config that everyone can read and managers can replace', async () => {
  const acme = await tenant()

  const { status, headers, body } = await acme.viewer.get(configUrl)
  const { version, updated_at, updated_by, ...config } = body
  const replaced = await acme.manager.put(configUrl, config)
  const read = await acme.member.get(configUrl)

  assert.deepEqual([status, headers.etag, version, updated_at, updated_by], [200, '"0"', 0, null, null])
  assert.equal(config.fit.rules.length, 10)
  assert.equal(config.engagement.rules.length, 13)
  assert.equal(replaced.status, 200)
  const { rescore, ...versioned } = replaced.body
  assert.deepEqual(rescore, { mode: 'inline', leads: 0 })
  assert.deepEqual(versioned, {
    ...config,
    version: 1,
    updated_at: versioned.updated_at,
    updated_by: acme.manager.userId,
  })
  assert.deepEqual(read.body, versioned)
  assert.equal(read.headers.etag, '"1"')
  assert.deepEqual(await acme.events(), ['scoring.config_changed'])
  assert.deepEqual(await acme.audit(), ['scoring.config_changed'])
})

test('crm-1-4 a lower threshold makes the lead an A and an MQL immediately', async () => {
  const acme = await tenant()
  const { lead_id, current } = await postExampleLead(acme)
  const before = (await acme.member.get(`/api/leads/${lead_id}`)).body

  const { status, body } = await acme.manager.put(configUrl, configWithThreshold(60))
  const lead = (await acme.member.get(`/api/leads/${lead_id}`)).body
  const equal = await acme.manager.put(configUrl, configWith({ grade_thresholds: { a: 40, b: 40 } }))
  const byMember = await acme.member.put(configUrl, configWithThreshold(60))

  assert.deepEqual(current, { fit_score: 90, engagement_score: 32, score: 61, grade: 'B' })
  assert.deepEqual([before.grade, before.lifecycle_stage], ['B', 'lead'])
  assert.deepEqual([status, body.version, body.rescore], [200, 1, { mode: 'inline', leads: 1 }])
  assert.deepEqual([lead.score, lead.grade, lead.lifecycle_stage, lead.score_version], [61, 'A', 'mql', 1])
  assert.ok(lead.mql_at)
  assert.deepEqual([lead.version, lead.updated_at], [before.version, before.updated_at])
  assert.deepEqual((await acme.events()).slice(-3), [
    'scoring.config_changed',
    'lead.grade_changed',
    'lead.stage_changed',
  ])
  const { rows } = await acme.sql(
    `select type, data from platform.outbox_events where tenant_id = $1 and type in ('lead.grade_changed', 'lead.stage_changed')
     order by id desc limit 2`,
    [acme.id],
  )
  assert.deepEqual(
    rows.map(({ data }) => data),
    [
      { from: 'lead', to: 'mql', cause: 'score', backward: false },
      { from: 'B', to: 'A', score: 61 },
    ],
  )
  const timeline = await acme.sql(`select meta from crm.activities where lead_id = $1 and type = 'grade_changed'`, [
    lead_id,
  ])
  assert.deepEqual(timeline.rows.at(-1).meta, { from: 'B', to: 'A', score: 61 })
  assert.deepEqual([equal.status, problems(equal.body)], [422, ['/grade_thresholds/b order']])
  assert.deepEqual([byMember.status, byMember.body.code], [403, 'role_required'])
  assert.equal((await acme.viewer.put(configUrl, configWithThreshold(60))).status, 403)
  assert.equal((await acme.manager.get(configUrl)).body.version, 1)
})

test('all problems of a config are reported at once', async () => {
  const acme = await tenant()
  const fit = (change: object) => ({ key: 'k', label: 'L', group: 'g', points: 1, when: { all: [] }, ...change })
  const engagement = (change: object) => ({
    key: 'k',
    label: 'L',
    group: 'g',
    signal: 'page_viewed',
    points: 1,
    max_count: 1,
    ...change,
  })
  const send = async (change: object) => {
    const { status, body } = await acme.admin.put(configUrl, { ...configWith(), ...change })
    return [status, problems(body)]
  }

  assert.deepEqual(
    await send({
      grade_thresholds: { a: 50, b: 60 },
      weights: { fit: 0.5, engagement: 0.49 },
      fit: {
        group_caps: { g: 10 },
        rules: [
          fit({ when: { field: 'score', op: 'gte', value: 5 } }),
          fit({
            key: 'x',
            group: 'other',
            when: {
              any: [
                { field: 'title', op: 'like' },
                { field: 'owner_id', op: 'is_me' },
              ],
            },
          }),
          fit({ key: 'y', group: 'negative', points: -1, when: { fact: 'activity', types: ['call'] } }),
          fit({ key: 'z', group: 'negative', points: 1 }),
        ],
      },
      engagement: {
        ...configWith().engagement,
        group_caps: { g: 10 },
        rules: [engagement({}), engagement({ key: 'w', group: 'constructor' })],
      },
    }),
    [
      422,
      [
        '/grade_thresholds/b order',
        '/weights sum',
        '/engagement/rules/0/key duplicate',
        '/fit/rules/1/group unknown_group',
        '/fit/rules/3/group unknown_group',
        '/engagement/rules/1/group unknown_group',
        '/fit/rules/0/when/field unknown_field',
        '/fit/rules/1/when/any/0/op unknown_op',
        '/fit/rules/1/when/any/1/op unknown_op',
        '/fit/rules/2/when/fact unknown_fact',
      ],
    ],
  )
  assert.deepEqual(
    await send({
      grade_thresholds: { a: 101, b: 0 },
      weights: { fit: -0.5, engagement: 1.5 },
      fit: { group_caps: { g: 101 }, rules: [fit({ points: 101, surprise: true })] },
      engagement: {
        half_life_days: 0,
        window_days: 366,
        group_caps: {},
        rules: [engagement({ signal: 'sneezed', points: -101, max_count: 51 })],
      },
    }),
    [
      422,
      [
        '/grade_thresholds/a maximum',
        '/grade_thresholds/b minimum',
        '/weights/fit minimum',
        '/weights/engagement maximum',
        '/fit/rules/0/surprise additionalProperties',
        '/fit/rules/0/points maximum',
        '/fit/group_caps/g maximum',
        '/engagement/half_life_days minimum',
        '/engagement/window_days maximum',
        '/engagement/rules/0/signal enum',
        '/engagement/rules/0/points minimum',
        '/engagement/rules/0/max_count maximum',
      ],
    ],
  )
  const many = Array.from({ length: 101 }, (_, index) => fit({ key: `k${index}` }))
  assert.deepEqual(await send({ fit: { group_caps: { g: 10 }, rules: many } }), [422, ['/fit/rules maxItems']])
  assert.deepEqual(await send({ version: 3 }), [422, ['/version additionalProperties']])
  assert.equal((await acme.admin.put(configUrl, {})).status, 422)
  assert.equal((await acme.admin.get(configUrl)).body.version, 0)
  assert.deepEqual(await acme.events(), [])
  assert.equal((await send({ weights: { fit: 0.3334, engagement: 0.6667 } }))[0], 200)
})

test('a config applies to its own workspace only', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { lead_id } = await postExampleLead(other)

  await acme.admin.put(configUrl, configWithThreshold(60))

  assert.equal((await other.admin.get(configUrl)).body.version, 0)
  assert.equal((await other.member.get(`/api/leads/${lead_id}`)).body.grade, 'B')
})

test('an outdated If-Match does not overwrite a newer config', async () => {
  const acme = await tenant()

  const first = await acme.manager.put(configUrl, configWithThreshold(60), { 'if-match': '"0"' })
  const second = await acme.manager.put(configUrl, configWithThreshold(50), { 'if-match': '"0"' })

  assert.equal(first.status, 200)
  assert.deepEqual([second.status, second.body.code], [412, 'version_mismatch'])
})

test('concurrent replacements get distinct versions, and all leads end with the newest', async () => {
  const acme = await tenant()
  for (let count = 0; count < 20; count++) await postLead(acme, { last_name: `Lead ${count}` })

  const responses = await Promise.all([60, 50, 45].map((a) => acme.manager.put(configUrl, configWithThreshold(a))))

  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.deepEqual(responses.map(({ body }) => body.version).sort(), [1, 2, 3])
  assert.deepEqual(await countByConfigVersion(acme), { 3: 20 })
})

test('a config that another one with the same version replaced, as in a restore, is not used any more', async () => {
  const acme = await tenant()
  const withPoints = (points: number) => {
    const [rule] = configWith().fit.rules
    const when = { field: 'last_name', op: 'eq', value: 'Moss' }
    return configWith({ fit: { ...configWith().fit, rules: [{ ...rule!, when: { all: [when] }, points }] } })
  }
  const scoreOfNewLead = async () => (await postLead(acme, { last_name: 'Moss' })).fit_score
  const first = await acme.manager.put(configUrl, withPoints(40))
  const scores = [await scoreOfNewLead()]

  await acme.sql('update crm.lead_scoring_configs set config = $2 where tenant_id = $1', [
    acme.id,
    JSON.stringify(withPoints(10)),
  ])
  scores.push(await scoreOfNewLead())

  assert.equal(first.status, 200, first.text)
  assert.deepEqual(scores, [40, 10])
})
