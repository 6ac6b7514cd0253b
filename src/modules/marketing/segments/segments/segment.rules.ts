import { canAccess, isManagerOrAdmin, type UserActor } from '#platform/access'
import { conflict, invalid, roleRequired, scopeRequired } from '#platform/errors'
import type { RuleProblem } from '#platform/module'
import type { RuleInput } from '#platform/rules'
import type { NewSegment, SegmentReference, SegmentType, SegmentUse } from './segments.schemas.ts'

export const maxSegments = 1_000
export const maxNesting = 3

type RuleNode = Readonly<Record<string, unknown>> & { all?: RuleInput[]; any?: RuleInput[]; not?: RuleInput }

/** Conditions of rules that were parsed before, with their JSON pointers. */
function leavesIn(rules: RuleInput, path = ''): { path: string; node: RuleNode }[] {
  const node = rules as RuleNode
  for (const kind of ['all', 'any'] as const)
    if (node[kind]) return node[kind].flatMap((part, index) => leavesIn(part, `${path}/${kind}/${index}`))
  return node.not ? leavesIn(node.not, `${path}/not`) : [{ path, node }]
}

/** Custom fields, and records that the parameters of facts name, such as `campaign_id`. */
export function listReferences(rules: RuleInput, objectType: SegmentType): SegmentReference[] {
  const references = leavesIn(rules).flatMap(({ node }): SegmentReference[] => {
    const field = fieldReferenceOf(node.field, objectType)
    if (field) return [{ kind: 'field', ref: field }]
    return Object.entries(node).flatMap(([name, value]) =>
      node.fact !== undefined && name.endsWith('_id') && typeof value === 'string'
        ? [{ kind: name.slice(0, -'_id'.length), ref: value }]
        : [],
    )
  })
  return [...new Map(references.map((reference) => [`${reference.kind}:${reference.ref}`, reference])).values()]
}

function fieldReferenceOf(key: unknown, objectType: SegmentType): string | undefined {
  if (typeof key !== 'string') return undefined
  if (key.startsWith('custom.')) return `${objectType}.${key}`
  return key.startsWith('account.custom.') ? key : undefined
}

export const deletedFieldProblems = (rules: RuleInput, objectType: SegmentType, field: string): RuleProblem[] =>
  leavesIn(rules)
    .filter(({ node }) => fieldReferenceOf(node.field, objectType) === field)
    .map(({ path, node }) => ({
      path: `${path}/field`,
      code: 'unknown_field',
      message: `Field "${node.field}" does not exist.`,
    }))

export const deletedCampaignProblems = (rules: RuleInput, campaignId: string): RuleProblem[] =>
  leavesIn(rules)
    .filter(({ node }) => node.fact !== undefined && node.campaign_id === campaignId)
    .map(({ path }) => ({
      path: `${path}/campaign_id`,
      code: 'unknown_reference',
      message: '`campaign_id` must be the id of a campaign.',
    }))

type NestingProblem = { code: string; message: string }

export function findNestingProblem(within: readonly string[], segmentId: string): NestingProblem | undefined {
  if (within.includes(segmentId))
    return { code: 'cycle', message: '`segment_id` must not refer to a segment that uses this one.' }
  if (within.length >= maxNesting)
    return { code: 'nesting', message: `Segments must not be nested more than ${maxNesting} levels deep.` }
  return undefined
}

/** The longest chain of segments that use the segment, outermost first, from pairs of using and used segment. */
export function longestChainAbove(segmentId: string, uses: readonly { user: string; used: string }[]): string[] {
  const chains = uses
    .filter(({ used, user }) => used === segmentId && user !== segmentId)
    .map(({ user }) => [
      ...longestChainAbove(
        user,
        uses.filter((use) => use.user !== segmentId),
      ),
      user,
    ])
  return chains.reduce((longest, chain) => (chain.length > longest.length ? chain : longest), [])
}

export function assertMembersGiven({ kind = 'dynamic', rules, record_ids }: NewSegment): void {
  if (kind === 'static') return
  if (!rules) throw invalid('body', '/rules', 'required', '`rules` is required for a dynamic segment.')
  if (record_ids)
    throw invalid('body', '/record_ids', 'unexpected', '`record_ids` is only allowed for a static segment.')
}

export function assertSegmentLimit(segments: number): void {
  if (segments >= maxSegments)
    throw conflict('limit_reached', `A workspace cannot have more than ${maxSegments} segments. Delete one first.`)
}

type OwnedSegment = { owner_id: string | null; created_by: string | null }

export function assertMayChange({ role, userId }: UserActor, { owner_id, created_by }: OwnedSegment): void {
  if (!isManagerOrAdmin(role) && (owner_id ?? created_by) !== userId)
    throw roleRequired('Only managers and the owner of the segment may change it.')
}

export function assertMayDelete(actor: UserActor, segment: OwnedSegment): void {
  if (!canAccess(actor, 'segments.delete', segment))
    throw roleRequired('Only managers and the owner of the segment may delete it.')
}

const readScopes = { lead: 'leads.read', contact: 'contacts.read', account: 'accounts.read' } as const

/** Members are shown only to callers who may read records of their type. */
export function assertMayReadMembers({ scopes }: UserActor, objectType: SegmentType): void {
  const scope = readScopes[objectType]
  if (!scopes.has(scope)) throw scopeRequired(scope)
}

export function assertUnused(uses: readonly SegmentUse[]): void {
  if (uses.length)
    throw conflict('segment_in_use', 'Other segments or active flows use this segment. Change them first.', {
      used_by: uses.slice(0, 100),
    })
}
