import { account } from './fixtures/account.fixture.ts'
import { activities } from './fixtures/activities.fixture.ts'
import { administration } from './fixtures/administration.fixture.ts'
import { analytics } from './fixtures/analytics.fixture.ts'
import { apiKeys } from './fixtures/api-keys.fixture.ts'
import { assist } from './fixtures/assist.fixture.ts'
import { auth } from './fixtures/auth.fixture.ts'
import { campaigns } from './fixtures/campaigns.fixture.ts'
import { coaching } from './fixtures/coaching/coaching.fixture.ts'
import { community } from './fixtures/community.fixture.ts'
import { communityModeration } from './fixtures/community-moderation.fixture.ts'
import { companies } from './fixtures/companies.fixture.ts'
import { connectedApps } from './fixtures/connected-apps.fixture.ts'
import { content } from './fixtures/content.fixture.ts'
import { customFields } from './fixtures/custom-fields.fixture.ts'
import { enrichment } from './fixtures/enrichment.fixture.ts'
import { health } from './fixtures/health.fixture.ts'
import { leadChanges } from './fixtures/lead-changes.fixture.ts'
import { leads } from './fixtures/leads.fixture.ts'
import { experts } from './fixtures/learning/experts.fixture.ts'
import { insights } from './fixtures/learning/insights.fixture.ts'
import { learning } from './fixtures/learning/learning.fixture.ts'
import { quizzes } from './fixtures/learning/quiz.fixture.ts'
import { opportunities } from './fixtures/opportunities.fixture.ts'
import { cadences } from './fixtures/outreach/cadences.fixture.ts'
import { exports } from './fixtures/outreach/exports.fixture.ts'
import { imports } from './fixtures/outreach/imports.fixture.ts'
import { tracking } from './fixtures/outreach/tracking.fixture.ts'
import { pages } from './fixtures/pages.fixture.ts'
import { pitch } from './fixtures/pitch/pitch.fixture.ts'
import { rooms } from './fixtures/rooms.fixture.ts'
import { scoring } from './fixtures/scoring.fixture.ts'
import { segments } from './fixtures/segments.fixture.ts'
import { sso } from './fixtures/sso.fixture.ts'
import { surveySending } from './fixtures/surveys/survey-sending.fixture.ts'
import { surveys } from './fixtures/surveys/surveys.fixture.ts'
import { tasks } from './fixtures/tasks.fixture.ts'
import { teams } from './fixtures/teams.fixture.ts'
import { unsubscribe } from './fixtures/unsubscribe.fixture.ts'
import { usage } from './fixtures/usage/usage.fixture.ts'
import { users } from './fixtures/users.fixture.ts'
import { webhooks } from './fixtures/webhooks.fixture.ts'
import type { RecordKind, RouteFixture } from './route-fixture.ts'

const groups = [
  health,
  pages,
  auth,
  sso,
  account,
  apiKeys,
  connectedApps,
  users,
  teams,
  tasks,
  administration,
  leads,
  leadChanges,
  assist,
  analytics,
  companies,
  opportunities,
  activities,
  scoring,
  customFields,
  segments,
  campaigns,
  unsubscribe,
  tracking,
  enrichment,
  surveys,
  surveySending,
  webhooks,
  content,
  rooms,
  coaching,
  pitch,
  learning,
  quizzes,
  experts,
  insights,
  usage,
  community,
  communityModeration,
  cadences,
  exports,
  imports,
]

export const fixtures: Record<string, RouteFixture> = Object.assign({}, ...groups.map(({ routes }) => routes))

export const kinds: Record<string, RecordKind> = Object.fromEntries(
  groups
    .flatMap(({ kinds = {} }) => Object.entries(kinds))
    .map(([name, kind]) => [name, typeof kind === 'function' ? { create: kind } : kind]),
)
