import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApiDocument, requestBodies, type Schema } from './document.ts'

const { schemas } = openApiDocument.components

/** Records that most integrations read. Everything else may still lack descriptions, but not more than `undescribedElsewhere`. */
const mainRecords = `
  Home HomeDeal Lead LeadSummary ListedLead Contact ListedContact Account ListedAccount Opportunity
  OpportunitySummary ListedOpportunity OpportunityBoard Activity Pipeline LeadSource
  CustomField PersonConsent ConsentEvent ScoringConfig DealContact Campaign CampaignMember Segment
  SegmentSummary SegmentFlow SegmentMember EnrichmentJob Survey SurveySummary SurveyQuestion SurveyResponse
  SurveyInvitation SurveyDistribution Room RoomSummary RoomItem RoomLink PlanStep ContentItem ContentSummary
  Collection CoachingSession CoachingPersona CoachingScenario PitchPrompt PitchSubmission Certificate
  LearningPath LearningPathDetails LearningModule LearningEnrollment Expert ExpertRequest Thread Reply
  ThreadReport CommunityRoom UsageActor Settings Notification User Me Team TeamSummary TeamMember ApiKey
  CreatedApiKey ConnectedApp WebhookEndpoint WebhookDelivery TaskStatus AuditLogEntry Backup Money
  ListLeadsResult
`
  .trim()
  .split(/\s+/)
const undescribedElsewhere = 1_250

type Field = { path: string; schema: Schema }

/** The fields of a schema and of the objects within it, but not of other components. */
function fieldsOf(schema: Schema, path: string): Field[] {
  const { properties = {}, items, anyOf = [] } = schema
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      { path: `${path}.${name}`, schema: field },
      ...fieldsOf(field, `${path}.${name}`),
    ]),
    ...[...(items ? [items] : []), ...anyOf].flatMap((part) => fieldsOf(part, path)),
  ]
}

/** Adds the names of the components that a schema refers to. */
function addReferenced(node: unknown, names: Set<string>): Set<string> {
  for (const [, name] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (names.has(name!)) continue
    names.add(name!)
    addReferenced(schemas[name!], names)
  }
  return names
}

const undescribed = (names: Iterable<string>) =>
  [...names].flatMap((name) =>
    fieldsOf(schemas[name]!, name).flatMap(({ path, schema }) => (schema.description ? [] : [path])),
  )

const requested = addReferenced(
  requestBodies.map(({ schema }) => schema),
  new Set(),
)

test('every field of a request has a description', () => {
  assert.ok(requested.size > 140, `${requested.size} schemas`)
  assert.deepEqual(undescribed(requested), [])
  const inBodies = requestBodies.flatMap(({ operationId, schema }) => fieldsOf(schema, operationId))
  assert.deepEqual(
    inBodies.filter(({ schema }) => !schema.description).map(({ path }) => path),
    [],
  )
})

test('every field of the main records and lists has a description', () => {
  assert.deepEqual(
    mainRecords.filter((name) => !schemas[name]),
    [],
  )
  assert.deepEqual(undescribed(mainRecords), [])
})

test('the number of fields without a description does not grow', () => {
  const others = Object.keys(schemas).filter((name) => !/Event$/.test(name))

  assert.ok(undescribed(others).length <= undescribedElsewhere, `${undescribed(others).length} fields`)
})

test('a description does more than repeat the name of the field', () => {
  const repeats = undescribedOr((path, description) => {
    const name = path.split('.').at(-1)!.replaceAll('_', ' ')
    return new RegExp(`^(The )?${name}( of the (record|work))?\\.$`, 'i').test(description)
  })

  assert.deepEqual(repeats, [])
})

function undescribedOr(isWrong: (path: string, description: string) => boolean): string[] {
  return [...new Set([...requested, ...mainRecords])].flatMap((name) =>
    fieldsOf(schemas[name]!, name)
      .filter(({ path, schema }) => isWrong(path, schema.description ?? ''))
      .map(({ path, schema }) => `${path}: ${schema.description}`),
  )
}

test('examples have names that fit the record', () => {
  const exampleOf = (name: string) => schemas[name]!.examples![0] as Record<string, string>

  assert.equal(exampleOf('Lead').title, 'Head of Sales')
  assert.equal(exampleOf('Account').name, 'Acme Ltd')
  assert.notEqual(exampleOf('Thread').title, exampleOf('Lead').title)
  for (const name of ['Campaign', 'Segment', 'Survey', 'Room', 'Collection', 'Team', 'CommunityRoom', 'ConnectedApp'])
    assert.notEqual(exampleOf(name).name, 'Ada Lovelace', name)
})

test('examples of the main records do not use the name of a field as its text', () => {
  const wrong: string[] = []
  const visit = (node: unknown, path: string): void => {
    if (typeof node === 'string') {
      const field = path.split('.').at(-1)!
      if (field.includes('_') && node === field.replaceAll('_', ' ')) wrong.push(path)
      return
    }
    if (typeof node !== 'object' || node === null) return
    const entries = Array.isArray(node) ? node.map((item) => ['', item] as const) : Object.entries(node)
    for (const [key, value] of entries) visit(value, key ? `${path}.${key}` : path)
  }
  for (const name of new Set([...requested, ...mainRecords])) visit(schemas[name]!.examples?.[0], name)

  assert.deepEqual(wrong, [])
})
