import { translate } from '../language.ts'

export const settingsTexts = translate('settingsTexts', {
  title: 'Settings',
  openSection: (section: string) => `Open settings: ${section}`,
  groups: { workspace: 'Workspace', account: 'Your account' },
  sections: {
    workspace: 'Workspace',
    'sample-data': 'Sample data',
    profile: 'Profile',
    sender: 'Sending',
    'sign-ins': 'Sign-ins',
    'api-keys': 'API keys',
    appearance: 'Appearance',
  },
  signOut: 'Sign out',
  part: 'The settings',
  actionFailed: (reason: string) => `That did not work. ${reason}`,
})

export const workspaceTexts = translate('workspaceTexts', {
  text: 'What all people of this workspace see and use.',
  readOnly: 'Only admins can change these settings.',
  general: 'General',
  generalText: 'Days, weeks and quarters of all reports follow these values.',
  fields: {
    name: 'Name of the workspace',
    timezone: 'Time zone',
    locale: 'Language',
    currency: 'Currency of totals',
    fiscal_year_start_month: 'Fiscal year starts in',
    week_starts_on: 'Week starts on',
    primary_color: 'Primary color',
    email_from_name: 'Sender name of emails',
    email_footer: 'Footer of emails',
  },
  weekDays: { monday: 'Monday', sunday: 'Sunday', saturday: 'Saturday' },
  currencyHint: 'It cannot be changed once quotas are stored.',
  branding: 'Branding',
  brandingText: 'Used in the application, on pages that customers see and in emails.',
  colorHint: 'Its lightness is adjusted until text is readable.',
  chooseColor: 'Choose the primary color',
  standardColor: 'Use the standard color',
  fromNameHint: 'Without it, emails carry the name of the workspace.',
  preview: 'Preview',
  light: 'Light',
  dark: 'Dark',
  previewButton: 'Save',
  previewLink: 'A link',
  previewBadge: 'Selected',
  save: 'Save changes',
  problem: (code: string): string | undefined =>
    code === 'currency_in_use' ? 'The currency cannot be changed, because quotas are stored in it.' : undefined,
})

export const signOutAllTexts = translate('signOutAllTexts', {
  title: 'Sign-ins of all people',
  text: 'After a lost device or a leaked password. API keys keep working.',
  signedIn: (count: string) =>
    count === '1' ? 'Only you are signed in.' : `${count} people are signed in, including you.`,
  signOutAll: 'Sign out all users',
  confirm: (others: string) =>
    others === '0'
      ? 'Only you are signed in. Your other browsers are signed out.'
      : others === '1'
        ? '1 person is signed out in all browsers and must sign in again. Impersonations end.'
        : `${others} people are signed out in all browsers and must sign in again. Impersonations end.`,
  kept: 'You stay signed in here, but not in your other browsers.',
  done: (count: string) => (count === '1' ? '1 person was signed out' : `${count} people were signed out`),
  problem: (code: string): string | undefined =>
    code === 'impersonation_not_allowed' ? 'This is not possible while you act as another user.' : undefined,
})

export const sampleDataTexts = translate('sampleDataTexts', {
  text: 'People, leads, deals and rooms of an invented company, to look around with. No emails are sent.',
  empty: 'No sample data is loaded',
  emptyText: 'It takes about a minute. You can remove it later without touching your own records.',
  load: 'Load sample data',
  continueLoading: 'Continue loading',
  loading: 'Loading sample data',
  loadedDone: 'The sample data is loaded.',
  loaded: 'Sample data is loaded',
  loadedBy: (name: string, when: string) => `Loaded by ${name}, ${when}`,
  modified: (count: string) =>
    count === '1' ? '1 of these records was changed since.' : `${count} of these records were changed since.`,
  remove: 'Remove sample data',
  removeText: 'All sample records are deleted. This cannot be undone. Your own records stay.',
  includeModified: 'Also delete sample records that were changed',
  removing: 'Removing sample data',
  tryAgain: 'Try again',
  removed: (removed: string, kept: string) => `Deleted: ${removed}. Kept: ${kept}.`,
  kinds: (kind: string): string => recordKinds[kind] ?? `${capitalize(kind.replaceAll('_', ' '))}s`,
  problem: (code: string): string | undefined => sampleDataProblems[code],
})

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const sampleDataProblems: Readonly<Record<string, string>> = {
  already_exists: 'The workspace already has sample data.',
  conflict: 'The sample data is just being loaded or removed. Wait until that has finished.',
}

const recordKinds: Readonly<Record<string, string>> = {
  user: 'People',
  team: 'Teams',
  lead: 'Leads',
  contact: 'Contacts',
  account: 'Accounts',
  opportunity: 'Deals',
  activity: 'Activities',
  campaign: 'Campaigns',
  segment: 'Segments',
  room: 'Rooms',
  content: 'Content',
  content_item: 'Content',
  survey: 'Surveys',
  reply: 'Replies',
  usage_actor: 'Product users',
}

export const profileTexts = translate('profileTexts', {
  text: 'How other people of the workspace see you.',
  personal: 'About you',
  fields: {
    name: 'Name',
    title: 'Title',
    phone: 'Phone',
    timezone: 'Time zone',
    locale: 'Language',
  },
  localeHint:
    'Dates and numbers follow it. The texts are in English or German; with another language, they are in English.',
  languageLater: 'The page changes its language when it is loaded again.',
  email: 'Email',
  emailHint: 'An admin can change it.',
  role: 'Role',
  save: 'Save profile',
  password: 'Password',
  passwordText: 'A new password signs you out in all other browsers.',
  currentPassword: 'Current password',
  newPassword: 'New password',
  revokeKeys: 'Also revoke my API keys',
  savePassword: 'Change password',
  passwordSaved: (sessions: number) =>
    sessions > 1 ? `The password was changed. ${sessions - 1} other sessions ended.` : 'The password was changed.',
  noPassword: (provider: string) => `You sign in with ${provider}, without a password.`,
})

export const signInTexts = translate('signInTexts', {
  text: 'Browsers in which you are signed in.',
  sessions: 'Sessions',
  device: (browser: string | null, system: string | null) =>
    browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'Unknown browser'),
  current: 'This browser',
  seen: (when: string) => `Last active: ${when}`,
  since: (when: string) => `Signed in: ${when}`,
  revoke: 'Sign out',
  revokeLabel: (device: string) => `Sign out ${device}`,
  revoked: (device: string) => `${device} was signed out`,
  revokeOthers: 'Sign out all others',
  othersRevoked: (count: number) => (count === 1 ? '1 session was ended' : `${count} sessions were ended`),
  onlyThis: 'You are signed in nowhere else.',
})

export const apiKeyTexts = translate('apiKeyTexts', {
  text: 'A key lets a program act as you, with the permissions that you give it.',
  create: 'Create API key',
  empty: 'You have no API keys',
  emptyText: 'Create one to connect a form, a script or another product.',
  keys: 'Your keys',
  name: 'Name',
  nameHint: 'What the key is for, such as “Website form”.',
  access: 'Permissions',
  accessOptions: {
    read_only: { label: 'Read only', description: 'Reads everything that you can read.' },
    chosen: { label: 'Chosen permissions', description: 'Reads, writes or deletes only what you select.' },
  },
  scopeTable: 'Permissions of the key',
  scopeActions: { read: 'Read', write: 'Write', delete: 'Delete' },
  noScopes: 'Select at least one permission.',
  expiry: 'Expires',
  expiries: { '30': 'In 30 days', '90': 'In 90 days', '365': 'In one year', '': 'Never' },
  statuses: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
  permissionCount: (count: number) => (count === 1 ? '1 permission' : `${count} permissions`),
  readOnly: 'Read only',
  expires: (when: string) => `Expires: ${when}`,
  neverExpires: 'Never expires',
  used: (when: string) => `Last used: ${when}`,
  unused: 'Never used',
  revoke: 'Revoke',
  revokeLabel: (name: string) => `Revoke ${name}`,
  revokeTitle: (name: string) => `Revoke ${name}`,
  revokeText: 'Programs that use this key lose access at once. This cannot be undone.',
  revoked: (name: string) => `${name} was revoked`,
  created: 'Copy your new key now',
  createdText: 'It is shown only once. Keep it like a password.',
  key: 'API key',
  copy: 'Copy',
  copied: 'Copied',
  copyKey: 'Copy the key',
  copyCall: 'Copy the command',
  firstCall: 'First call',
  done: 'I have stored the key',
  reference: 'API reference',
  problem: (code: string): string | undefined => keyProblems[code],
})

const keyProblems: Readonly<Record<string, string>> = {
  role_required: 'Only admins can create API keys in this workspace.',
  email_verification_required: 'Verify your email address before you create API keys.',
  conflict: 'The limit of active API keys is reached. Revoke one first.',
}

/** Resources of permissions. Those without a text grant no access yet and are not offered. */
export const scopeResourceTexts = translate('scopeResourceTexts', {
  leads: 'Leads',
  contacts: 'Contacts',
  accounts: 'Accounts',
  opportunities: 'Deals and pipelines',
  campaigns: 'Campaigns',
  segments: 'Segments',
  surveys: 'Surveys',
  content: 'Content',
  collections: 'Collections',
  rooms: 'Rooms',
  coaching: 'Coaching',
  learning: 'Learning',
  pitch: 'Pitch practice',
  experts: 'Experts',
  insights: 'Insights',
  community: 'Community',
  plg: 'Product usage',
  enrichment: 'Enrichment',
  custom_fields: 'Custom fields',
  users: 'People',
  teams: 'Teams',
  tasks: 'Background tasks',
  webhooks: 'Webhooks',
  integrations: 'Connected apps',
  admin: 'Settings and audit log',
})

export const appearanceTexts = translate('appearanceTexts', {
  text: 'Only for you. Colors, rows and keys apply to this browser.',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  density: 'Rows of lists',
  densities: { compact: 'Compact', normal: 'Normal', comfortable: 'Comfortable' },
  densityDescriptions: {
    compact: 'Most rows on the screen.',
    normal: 'A balance of both.',
    comfortable: 'More space between rows.',
  },
  keyboard: 'Keyboard',
  shortcuts: 'Single-letter shortcuts, such as C to create',
  shortcutsHint: 'Switch them off if you use speech input. Shortcuts with Ctrl or Cmd stay.',
  showShortcuts: 'Show keyboard shortcuts',
})
