// Who may see which field, from docs/architecture. Deliberately repeated here: if the rules of the product were called, their
// mistakes would be expected results.
import { keyScopes, type ReaderName } from './readers.ts'

export type Field = {
  /** All others must not see the field in any way. */
  readers: readonly ReaderName[]
  /** Why no reader sees the field. */
  hiddenBecause?: string
}

const leaders: ReaderName[] = ['admin', 'manager']
const withOwner: ReaderName[] = [...leaders, 'owner', 'impersonator']
const withTeam: ReaderName[] = [...withOwner, 'lead']
const workspace: ReaderName[] = [...withTeam, 'member', 'viewer']

const ownerOnly: Field = { readers: ['owner'] }
const leadersOnly: Field = { readers: leaders }
const secret: Field = { readers: [], hiddenBecause: 'a secret, stored encrypted or as a hash' }

/** coaching.md: private practice does not exist for others; coaches see the rest; sellers see no secrets of the exercise. */
const practice = {
  'practice title': ownerOnly,
  'practice topic': ownerOnly,
  'practice transcript': ownerOnly,
  'practice comment': ownerOnly,
  'practice recording': ownerOnly,
  'practice task': ownerOnly,
  'withdrawn transcript': ownerOnly,
  'withdrawn review': ownerOnly,
  'private roleplay message': ownerOnly,
  'private roleplay reflection': ownerOnly,
  'take title': { readers: [...withTeam, 'pitch.read'] },
  'take transcript': { readers: [...withTeam, 'pitch.read'] },
  'take review': { readers: [...withTeam, 'pitch.read'] },
  'session agenda': { readers: withTeam },
  'session feedback': { readers: withTeam },
  'session reflection': { readers: withTeam },
  'persona background': leadersOnly,
  'persona fact': leadersOnly,
  'persona objection': leadersOnly,
  'scenario context': leadersOnly,
  'criterion keyword': leadersOnly,
} satisfies Record<string, Field>

/** library.md, learning.md, experts.md: drafts are for authors, content and paths of a team for the team, requests for requester and expert. */
const enablement = {
  'quiz answer': leadersOnly,
  'quiz explanation': leadersOnly,
  'draft path title': leadersOnly,
  'draft module body': leadersOnly,
  'team path title': { readers: withTeam },
  'assignment text': { readers: withTeam },
  'draft content title': { readers: [...withOwner, 'content.read'] },
  'draft content body': { readers: [...withOwner, 'content.read'] },
  'team content title': { readers: [...withTeam, 'content.read'] },
  'team content body': { readers: [...withTeam, 'content.read'] },
  'team content file': { readers: [...withTeam, 'content.read'] },
  'team collection name': { readers: withTeam },
  'request subject': { readers: withTeam },
  'request body': { readers: withTeam },
  'request answer': { readers: withTeam },
} satisfies Record<string, Field>

/** rooms.md: links for the owner and leaders, internal parts for users only, a gate for its visitors. */
const rooms = {
  'internal plan step': { readers: workspace },
  'hidden room item': { readers: workspace },
  'team content in room': { readers: [...withTeam, 'content.read', 'customer'] },
  'gated room title': { readers: [...workspace, 'customer'] },
  'room link label': { readers: withOwner },
  'room allowed address': { readers: withOwner },
  'room link token': { readers: [...withOwner, 'customer', 'visitor'] },
  'room visitor address': { readers: withOwner },
  'room password': secret,
} satisfies Record<string, Field>

/** crm.md, surveys.md: the person of a record needs its scope; an anonymous response waits for others. */
const people = {
  'lead name': { readers: [...workspace, ...keyScopes, 'customer'] },
  'lead address': { readers: [...workspace, 'leads.read', 'customer'] },
  'lead notes': { readers: [...workspace, 'leads.read'] },
  'lead activity': { readers: [...workspace, 'leads.read'] },
  'contact address': { readers: [...workspace, 'contacts.read', 'customer'] },
  'contact notes': { readers: [...workspace, 'contacts.read'] },
  'invited address': { readers: [...workspace, 'customer'] },
  'suppressed address': leadersOnly,
  'survey answer': { readers: [...workspace, 'surveys.read'] },
  'waiting anonymous answer': { readers: [], hiddenBecause: 'released when twice the group size waits' },
  'survey token': { readers: ['customer'] },
} satisfies Record<string, Field>

/** community.md: hidden and deleted posts for author and moderators, reports for moderators. */
const community = {
  'hidden thread': { readers: withOwner },
  'deleted thread': { readers: withOwner },
  'report note': leadersOnly,
  'suspension reason': leadersOnly,
} satisfies Record<string, Field>

/** identity.md, events.md, backups.md. */
const administration = {
  'session browser': { readers: ['admin', 'owner', 'impersonator'] },
  'pinned page': { readers: ['admin', 'owner', 'impersonator'] },
  'own view': { readers: ['admin', 'owner'] },
  'sender signature': { readers: ['admin', 'owner', 'impersonator', 'customer'] },
  'connected app': leadersOnly,
  'webhook address token': leadersOnly,
  'webhook secret': secret,
  'API key': secret,
  'single sign-on secret': secret,
  'model key': secret,
  'enrichment secret': secret,
  'user invitation token': { readers: ['customer'] },
  'another workspace': { readers: ['admin of another workspace'] },
} satisfies Record<string, Field>

export const fields = {
  ...practice,
  ...enablement,
  ...rooms,
  ...people,
  ...community,
  ...administration,
} satisfies Record<string, Field>

export type FieldName = keyof typeof fields
