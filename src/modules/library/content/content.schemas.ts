import { type Static, Type } from 'typebox'
import {
  clearable,
  enumList,
  Id,
  Instant,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  Search,
  strict,
  Timestamp,
} from '#platform/schema'

export const contentTypes = [
  'document',
  'slide_deck',
  'video',
  'audio',
  'image',
  'link',
  'battlecard',
  'template',
  'case_study',
  'one_pager',
  'playbook',
  'email_template',
  'other',
] as const
export const ContentType = Type.Enum([...contentTypes])
export type ContentType = Static<typeof ContentType>
export const ContentStatus = Type.Enum(['draft', 'published', 'archived'])
export type ContentStatus = Static<typeof ContentStatus>

const Category = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,59}$', maxLength: 60, examples: ['pricing'] })
const terms = (maxLength: number) => Type.Array(Line(maxLength), { maxItems: 20, uniqueItems: true })
const Audience = Type.Array(Id, {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'Teams that see the item, besides its owner and managers. `null`: all users.',
})
const Url = Type.String({ format: 'uri', pattern: '^https?://', maxLength: 2_048 })
const Markdown = Type.String({ maxLength: 100_000, description: 'Markdown.' })
const ReviewInterval = Type.Integer({ minimum: 7, maximum: 1_095 })
const Language = Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, examples: ['en'] })
const Visibility = Type.Enum(['internal', 'public'])

const editable = {
  description: clearable(Type.String({ maxLength: 4_000 })),
  category: clearable(Category),
  tags: Type.Optional(terms(40)),
  stages: Type.Optional(terms(60)),
  industries: Type.Optional(terms(60)),
  products: Type.Optional(terms(60)),
  buyer_roles: Type.Optional(terms(60)),
  language: Type.Optional(Language),
  visibility: Type.Optional(Visibility),
  audience_team_ids: clearable(Audience),
  url: clearable(Url),
  body: clearable(Markdown),
  owner_id: Type.Optional(Id),
  is_required_reading: Type.Optional(Type.Boolean()),
  review_interval_days: Type.Optional(ReviewInterval),
  expires_at: clearable(Instant),
}

export const NewContentItem = strict({
  title: Line(200),
  type: ContentType,
  status: Type.Optional(Type.Enum(['draft'])),
  ...editable,
})
export type NewContentItem = Static<typeof NewContentItem>

export const ContentChanges = strict({
  title: Type.Optional(Line(200)),
  type: Type.Optional(ContentType),
  status: Type.Optional(ContentStatus),
  superseded_by_id: clearable(Id),
  ...editable,
})
export type ContentChanges = Static<typeof ContentChanges>

export const ContentFile = strict({
  filename: Type.String(),
  media_type: Type.String(),
  size_bytes: Type.Integer({ minimum: 1 }),
  version_no: Type.Integer(),
  page_count: nullable(Type.Integer()),
  width: nullable(Type.Integer({ description: 'Pixels of an image or video.' })),
  height: nullable(Type.Integer({ description: 'Pixels of an image or video.' })),
  duration_seconds: nullable(Type.Number()),
  scan: strict({
    status: Type.Enum(['pending', 'clean', 'infected', 'failed', 'skipped']),
    engine: Type.Enum(['clamd', 'none']),
  }),
  preview_state: Type.Enum(['pending', 'ready', 'unavailable', 'failed']),
  url: Type.String(),
  stream_url: nullable(
    Type.String({ description: 'With a ticket that is valid for an hour, for `<img>` and `<video>`.' }),
  ),
  thumbnail_url: nullable(Type.String()),
})
export type ContentFile = Static<typeof ContentFile>

const itemFields = {
  id: Id,
  title: Type.String(),
  description: nullable(Type.String()),
  type: ContentType,
  category: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  stages: Type.Array(Type.String()),
  industries: Type.Array(Type.String()),
  products: Type.Array(Type.String()),
  buyer_roles: Type.Array(Type.String()),
  language: Type.String(),
  status: ContentStatus,
  visibility: Visibility,
  audience_team_ids: nullable(Type.Array(Id)),
  url: nullable(Type.String()),
  current_version_id: nullable(Id),
  file: nullable(ContentFile),
  owner_id: nullable(Id),
  owner: nullable(Reference),
  created_by: nullable(Id),
  is_required_reading: Type.Boolean(),
  review_interval_days: Type.Integer(),
  last_reviewed_at: nullable(Timestamp),
  reviewed_by: nullable(Id),
  next_review_at: nullable(Timestamp),
  freshness_score: nullable(
    Type.Number({ description: '100 after a review, 50 when the next review is due. `null` before the first one.' }),
  ),
  is_stale: Type.Boolean(),
  expires_at: nullable(Timestamp),
  superseded_by_id: nullable(Id),
  superseded_by: nullable(strict({ id: Id, title: Type.String() })),
  published_at: nullable(Timestamp),
  archived_at: nullable(Timestamp),
  archive_reason: nullable(Type.Enum(['manual', 'expired', 'superseded'])),
  stats: strict({ views_28d: Type.Integer(), unique_viewers: Type.Integer(), heat: Type.Number() }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const ContentSummary = named('ContentSummary', strict(itemFields))
export type ContentSummary = Static<typeof ContentSummary>
export const ContentItem = named('ContentItem', strict({ ...itemFields, body: nullable(Type.String()) }))
export type ContentItem = Static<typeof ContentItem>
export const ViewedContentItem = named(
  'ViewedContentItem',
  strict({
    ...itemFields,
    body: nullable(Type.String()),
    view_id: nullable({ ...Id, description: 'Send heartbeats to PATCH /api/enablement/content/views/{view_id}.' }),
  }),
)

export const ContentFilter = listQuery({
  search: Type.Optional({
    ...Search,
    description: 'Words that must all occur; the last one matches as a prefix. Supports `"phrases"`, `or` and `-word`.',
  }),
  type: Type.Optional(enumList([...contentTypes])),
  category: Type.Optional(Category),
  status: Type.Optional(enumList(['draft', 'published', 'archived'])),
  tag: Type.Optional(Line(40)),
  owner_id: Type.Optional(Id),
  stale: Type.Optional(Type.Boolean()),
  sort: Type.Optional(
    Type.Enum(['relevance', 'title', '-title', 'updated_at', '-updated_at', '-heat', '-views', 'next_review_at'], {
      description: 'Default: `relevance` with `search`, otherwise `-updated_at`.',
    }),
  ),
})
export type ContentFilter = Static<typeof ContentFilter>

export const ItemParams = strict({ item_id: Id })
export const TrackQuery = strict({
  track: Type.Boolean({ default: true, description: '`false` reads the item without opening a view.' }),
})
export const ContentCategory = strict({ category: Type.String(), item_count: Type.Integer() })
export const ContentReview = strict({
  outcome: Type.Enum(['still_valid', 'needs_update']),
  note: Type.Optional(Type.String({ maxLength: 500 })),
})
export type ContentReview = Static<typeof ContentReview>
