import type { Database } from '#platform/db'

type Table = keyof Database

/** A lock of the table in docs/architecture/lock-order.md. `rank` orders the locks within one row of the table. */
export type LockKind = {
  no: number
  rank: number
  lock: string
  tables?: readonly Table[]
  key?: string
  isLockedByInsert?: true
  advisory?: RegExp
}

const rows = (no: number, lock: string, tables: Table[], options: Partial<LockKind> = {}): LockKind => ({
  no,
  rank: no,
  lock,
  tables,
  key: 'id',
  ...options,
})
const advisory = (no: number, lock: string, name: RegExp, rank = no): LockKind => ({ no, rank, lock, advisory: name })

const oneTimeTokens = 'one-time tokens, then preferences of a user'
const sessions = 'sessions, then refresh tokens'
const teams = 'team tree, then teams, then members'
const leads = 'leads, then the merge to undo'
const segments = 'segments, then their flows'
const activities = 'activities, then consent, then enrichment suggestions'
const campaigns = 'attribution, then campaign tree, then campaigns'
const emails =
  'email messages, then names of cadences, then cadences, then enrollments, then runs of steps, then places of emails, then emails of senders, then counts'
const enrichment = 'enrichment claims, then jobs, then usage'
const webhookEndpoints = 'webhook endpoints of the workspace, then one of them'
const contentViews = 'opening of a view, then views, then their fold'
const rooms = 'rooms, then visits of rooms'
const threads = 'posts of a user, then pins of a room, then threads'
const surveys =
  'submissions of a public link, then surveys, then recipients, then distributions, then invitations, then counters'
const scoring = 'effects of product qualifications, then scoring config'
const usage = 'roll-ups of usage, then event names, then their state, actors and qualifications'
const coaching =
  'presets, then roleplays of a user, then voice minutes, then coaching scenarios, then personas, then sessions'
const pitch = 'takes of a user, then pitch prompts, then assignments, then submissions'
const learning = 'prerequisites of paths, then learning paths, then question banks, then enrollments, then certificates'
const experts = 'experts, then requests to them'
const files = 'exports that a user starts, then exports, then imports, then bulk actions'
const accountKeys = 'account domain, then company name'

export const lockKinds: readonly LockKind[] = [
  rows(1, 'workspace, exclusive', ['identity.tenants']),
  advisory(2, 'reporting lines', /^reporting_lines$/),
  rows(3, 'sign-ins of a user', ['identity.user_presence'], { key: 'user_id' }),
  rows(4, 'users: active admins first, then by id', ['identity.users']),
  rows(4, 'users: active admins first, then by id', ['identity.user_credentials'], { key: 'user_id' }),
  rows(5, oneTimeTokens, ['identity.one_time_tokens']),
  rows(5, oneTimeTokens, ['identity.user_preferences'], { rank: 5.1, key: 'user_id', isLockedByInsert: true }),
  rows(6, sessions, ['identity.sessions']),
  rows(6, sessions, ['identity.refresh_tokens'], { rank: 6.1 }),
  advisory(7, 'API keys and connected apps', /^api_keys$/),
  advisory(8, teams, /^tree:identity\.teams$/),
  rows(8, teams, ['identity.teams'], { rank: 8.1 }),
  rows(8, teams, ['identity.team_members'], { rank: 8.2, key: 'user_id' }),
  advisory(9, scoring, /^pql_effects$/),
  advisory(9, scoring, /^scoring_rules$/, 9.1),
  advisory(10, 'email addresses of leads', /^lead_address:/),
  rows(11, 'pipelines', ['crm.pipelines']),
  rows(12, leads, ['crm.leads']),
  rows(12, leads, ['crm.lead_merges'], { rank: 12.1 }),
  rows(13, 'lead sources', ['crm.lead_sources'], { key: 'key', isLockedByInsert: true }),
  rows(14, 'assignment state of users', ['crm.assignment_state', 'crm.lead_assignments'], {
    key: 'user_id',
    isLockedByInsert: true,
  }),
  advisory(15, 'email addresses of contacts', /^contact_address:/),
  advisory(16, accountKeys, /^account_domain:/),
  advisory(16, accountKeys, /^account_name:/, 16.1),
  advisory(17, 'account tree', /^tree:crm\.accounts$/),
  rows(18, 'deals', ['crm.opportunities']),
  rows(19, 'accounts', ['crm.accounts']),
  rows(20, 'contacts', ['crm.contacts']),
  rows(21, activities, ['crm.activities']),
  advisory(21, activities, /^consent:/, 21.1),
  rows(21, activities, ['marketing.enrichment_suggestions'], { rank: 21.2 }),
  advisory(22, campaigns, /^attribution$/),
  advisory(22, campaigns, /^tree:marketing\.campaigns$/, 22.1),
  rows(22, campaigns, ['marketing.campaigns'], { rank: 22.2 }),
  rows(23, emails, ['crm.email_messages']),
  advisory(23, emails, /^cadence_names$/, 23.1),
  rows(23, emails, ['marketing.cadences'], { rank: 23.2 }),
  rows(23, emails, ['marketing.cadence_enrollments'], { rank: 23.3 }),
  rows(23, emails, ['marketing.cadence_step_runs'], { rank: 23.4 }),
  rows(23, emails, ['crm.email_send_counters'], { rank: 23.42, key: 'day', isLockedByInsert: true }),
  rows(23, emails, ['marketing.cadence_send_counts'], { rank: 23.5, key: 'sender_id', isLockedByInsert: true }),
  rows(23, emails, ['marketing.cadence_counts'], { rank: 23.6, key: 'cadence_id', isLockedByInsert: true }),
  advisory(24, segments, /^segments$/),
  rows(24, segments, ['marketing.segments'], { rank: 24.1 }),
  rows(24, segments, ['marketing.segment_flows'], { rank: 24.2 }),
  advisory(25, enrichment, /^enrichment_claims$/),
  rows(25, enrichment, ['marketing.enrichment_jobs'], { rank: 25.1 }),
  rows(25, enrichment, ['marketing.enrichment_usage'], { rank: 25.2, key: 'month' }),
  advisory(26, webhookEndpoints, /^webhook_endpoints$/),
  rows(26, webhookEndpoints, ['operations.webhook_endpoints'], { rank: 26.1 }),
  rows(27, 'content items', ['enablement.content_items']),
  rows(28, 'collections', ['enablement.collections']),
  rows(29, rooms, ['enablement.rooms']),
  rows(29, rooms, ['enablement.room_visits'], { rank: 29.1 }),
  advisory(30, contentViews, /^content_view:/),
  rows(30, contentViews, ['enablement.content_views'], { rank: 30.1 }),
  rows(30, contentViews, ['enablement.content_fold_states'], { rank: 30.2, key: 'tenant_id' }),
  advisory(31, threads, /^community_author:/),
  advisory(31, threads, /^room_pins:/, 31.1),
  rows(31, threads, ['community.threads'], { rank: 31.2 }),
  advisory(32, surveys, /^survey_submission:/),
  rows(32, surveys, ['surveys.surveys'], { rank: 32.1 }),
  advisory(32, surveys, /^survey_invitations$/, 32.12),
  rows(32, surveys, ['surveys.distributions'], { rank: 32.15 }),
  rows(32, surveys, ['surveys.invitations'], { rank: 32.2 }),
  rows(32, surveys, ['surveys.counters'], { rank: 32.3, key: 'survey_id' }),
  advisory(33, usage, /^plg_roll_ups$/),
  advisory(33, usage, /^plg_event_names$/, 33.1),
  rows(33, usage, ['plg.states'], { rank: 33.2, key: 'tenant_id' }),
  rows(33, usage, ['plg.actors'], { rank: 33.3 }),
  rows(33, usage, ['plg.qualifications'], { rank: 33.4 }),
  advisory(34, coaching, /^coaching_presets$/),
  advisory(34, coaching, /^roleplays:/, 34.01),
  advisory(34, coaching, /^voice_minutes$/, 34.02),
  rows(34, coaching, ['enablement.coaching_scenarios'], { rank: 34.1 }),
  rows(34, coaching, ['enablement.coaching_personas'], { rank: 34.2 }),
  rows(34, coaching, ['enablement.coaching_sessions'], { rank: 34.3 }),
  advisory(35, pitch, /^pitch_takes:/),
  rows(35, pitch, ['enablement.pitch_prompts'], { rank: 35.1 }),
  rows(35, pitch, ['enablement.pitch_assignments'], { rank: 35.2 }),
  rows(35, pitch, ['enablement.pitch_submissions'], { rank: 35.3 }),
  advisory(36, learning, /^learning_prerequisites$/),
  rows(36, learning, ['enablement.learning_paths'], { rank: 36.1 }),
  rows(36, learning, ['enablement.question_banks'], { rank: 36.2 }),
  rows(36, learning, ['enablement.learning_enrollments'], { rank: 36.3 }),
  rows(36, learning, ['enablement.certificates'], { rank: 36.4 }),
  rows(37, experts, ['enablement.experts']),
  rows(37, experts, ['enablement.expert_requests'], { rank: 37.1 }),
  rows(38, 'state of insights', ['enablement.insight_states'], { key: 'tenant_id' }),
  rows(39, 'readiness of users', ['enablement.readiness_scores'], { key: 'user_id', isLockedByInsert: true }),
  advisory(40, files, /^exports:/),
  rows(40, files, ['crm.exports'], { rank: 40.1 }),
  rows(40, files, ['crm.imports'], { rank: 40.2 }),
  rows(40, files, ['crm.bulk_actions'], { rank: 40.3, key: 'task_id' }),
  rows(41, 'background tasks', ['platform.background_tasks']),
]
