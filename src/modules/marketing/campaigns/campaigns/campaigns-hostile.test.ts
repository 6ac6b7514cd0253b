import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { hostileTexts as texts } from '../../../../../tests/hostile/texts.ts'
import { addMembers, campaignsUrl, listMembers, newCampaign, newLead } from './campaigns.fixture.ts'

const { tenant } = await startTestApp()

test('more than 200 hostile strings in every text come back unchanged, and no search or list fails', async () => {
  const acme = await tenant()
  const host = await newCampaign(acme)
  await addMembers(acme, host.id, { lead_ids: [await newLead(acme)] })
  const [member] = await listMembers(acme, host.id)
  const failures: string[] = []
  for (const [index, text] of texts.entries()) {
    const shown = text.trim()
    const label = { key: 'targeted', label: text.slice(0, 90), is_response: true }
    const created = await acme.member.post(campaignsUrl, {
      name: `${index} ${text}`,
      type: 'other',
      description: text,
      utm_campaign: `${index} ${text}`,
      tags: [text.slice(0, 50)],
      member_statuses: [label, { ...label, key: 'other' }],
    })
    const { name, description, utm_campaign } = created.body
    if (created.status !== 201 || description !== shown || name !== `${index} ${text}`.trim() || utm_campaign !== name)
      failures.push(`${text}: ${created.status} ${created.text.slice(0, 200)}`)
    const query = encodeURIComponent(text)
    const found = await acme.member.get(
      `${campaignsUrl}?search=${query}&tag=${encodeURIComponent(text.slice(0, 50))}&limit=1`,
    )
    if (found.status !== 200 || !found.headers['content-type']?.startsWith('application/json'))
      failures.push(`search ${text}: ${found.status}`)
    if (index % 10) continue
    const noted = await acme.member.patch(`${campaignsUrl}${host.id}/members/${member.id}`, { note: text })
    const listed = await acme.member.get(`${campaignsUrl}${host.id}/members?search=${query}`)
    if (noted.body.note !== shown || listed.status !== 200)
      failures.push(`note ${text}: ${noted.status} ${listed.status}`)
  }

  assert.ok(texts.length >= 200)
  assert.deepEqual(failures.slice(0, 10), [])
  const { rows } = await acme.sql(
    'select count(*)::integer as campaigns from marketing.campaigns where tenant_id = $1',
    [acme.id],
  )
  assert.equal(rows[0].campaigns, texts.length + 1)
})
