import { conflict, invalid, invalidTransition, roleRequired } from '#platform/errors'
import type { ContentStatus, ContentType } from './content.schemas.ts'

/** A user as far as visibility of content depends on it. */
export type ContentViewer = { userId: string | null; isManager: boolean; teamIds: readonly string[] }

type Visible = { owner_id: string | null; status: string; audience_team_ids: readonly string[] | null }

/** Same condition as `isVisibleTo` in content-visibility.queries.ts. */
export const canSee = (item: Visible, viewer: ContentViewer): boolean =>
  isOwnerOrManager(item, viewer) || (item.status === 'published' && isInAudience(item, viewer))

export const isInAudience = (item: Pick<Visible, 'owner_id' | 'audience_team_ids'>, viewer: ContentViewer): boolean =>
  isOwnerOrManager(item, viewer) ||
  item.audience_team_ids === null ||
  item.audience_team_ids.some((teamId) => viewer.teamIds.includes(teamId))

export const isOwnerOrManager = ({ owner_id }: { owner_id: string | null }, viewer: ContentViewer): boolean =>
  viewer.isManager || (owner_id !== null && owner_id === viewer.userId)

export function assertCanEdit(item: { owner_id: string | null }, viewer: ContentViewer): void {
  if (!isOwnerOrManager(item, viewer))
    throw roleRequired('Only the owner of the content item or a manager can change it.')
}

type PublishableItem = { type: string; url: string | null; body: string | null; hasFile: boolean }

const internalTypes: readonly string[] = ['battlecard', 'playbook'] satisfies ContentType[]
export const isInternalType = (type: string): boolean => internalTypes.includes(type)

const publishRequirements: Partial<Record<string, { isMet(item: PublishableItem): boolean; message: string }>> = {
  link: { isMet: ({ url }) => url !== null, message: 'A link needs a `url`. Set it first.' },
  video: {
    isMet: ({ url, hasFile }) => hasFile || url !== null,
    message: 'A video needs a file or a `url`. Upload a file or set `url` first.',
  },
  ...Object.fromEntries(
    ['slide_deck', 'image', 'audio'].map((type) => [
      type,
      {
        isMet: ({ hasFile }: PublishableItem) => hasFile,
        message: 'This type of content needs a file. Upload it first.',
      },
    ]),
  ),
}

export function assertPublishable(item: PublishableItem): void {
  const { isMet, message } = publishRequirements[item.type] ?? {
    isMet: ({ url, body, hasFile }: PublishableItem) => hasFile || url !== null || body !== null,
    message: 'The content item needs a file, a `url` or a `body`. Add one of them first.',
  }
  if (!isMet(item)) throw conflict('not_publishable', message)
}

export const isPublishable = (item: PublishableItem): boolean => {
  try {
    assertPublishable(item)
    return true
  } catch {
    return false
  }
}

export function assertVisibilityFits({ type, visibility }: { type: string; visibility?: string }): void {
  if (visibility === 'public' && isInternalType(type))
    throw invalid(
      'body',
      '/visibility',
      'internal_only_type',
      '`visibility` must be `internal` for battlecards and playbooks.',
    )
}

export function assertUrlAllowed(url: string | null | undefined): void {
  if (!url) return
  const parsed = URL.parse(url)
  if (!parsed) throw invalid('body', '/url', 'invalid_format', '`url` must be a valid URL.')
  const { username, password } = parsed
  if (username || password)
    throw invalid('body', '/url', 'credentials', '`url` must not contain a user name or password.')
}

const transitions: Record<ContentStatus, ContentStatus[]> = {
  draft: ['published', 'archived'],
  published: ['draft', 'archived'],
  archived: ['draft'],
}

export function assertTransition(from: ContentStatus, to: ContentStatus): void {
  const allowed = transitions[from]
  if (!allowed.includes(to))
    throw invalidTransition(`The status cannot change from ${from} to ${to}.`, { from, to, allowed })
}

type StatusChange = { from: ContentStatus; to: ContentStatus; membersMayPublish: boolean }

/** The owner may archive and restore; publishing and unpublishing is for managers unless the workspace allows it. */
export function assertMayChangeStatus(viewer: ContentViewer, { from, to, membersMayPublish }: StatusChange): void {
  const isPublishing = to === 'published' || (from === 'published' && to === 'draft')
  if (!isPublishing || viewer.isManager || (membersMayPublish && to === 'published')) return
  throw roleRequired('Only managers can publish content and take it back. Ask a manager to do it.')
}
