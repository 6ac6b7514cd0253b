import type { MailContent } from '#platform/mail'

export const securityNotices = [
  'new_device',
  'password_changed',
  'refresh_reuse',
  'password_reset_by_admin',
  'email_changed',
  'impersonated',
] as const
export type SecurityNotice = (typeof securityNotices)[number]
export type NoticeDetails = Record<string, string>

type Text = { subject: string; content: Omit<MailContent, 'workspace'> }
type Place = { workspace: string; signInUrl: string }

const footer = 'You get this mail because it concerns the security of your account. It cannot be switched off.'

/** What a person is told when something about their account happened that they should know of. */
export function noticeText(notice: SecurityNotice, details: NoticeDetails, { workspace, signInUrl }: Place): Text {
  const { title, paragraphs } = wording[notice](details, workspace)
  return {
    subject: `${title} (${workspace})`,
    content: { title, paragraphs, action: { label: 'Open your workspace', url: signInUrl }, footer },
  }
}

const ifNotYou = 'If this was not you, change your password now and tell an admin of your workspace.'

type Wording = (details: NoticeDetails, workspace: string) => { title: string; paragraphs: string[] }

const wording: Record<SecurityNotice, Wording> = {
  new_device: ({ device = 'an unknown device', ip = 'an unknown address' }, workspace) => ({
    title: 'Your account was used on a new device',
    paragraphs: [`Somebody signed in to ${workspace} as you, with ${device}, from the address ${ip}.`, ifNotYou],
  }),
  password_changed: (_, workspace) => ({
    title: 'Your password was changed',
    paragraphs: [
      `Your password for ${workspace} was changed, and everybody who was signed in with it was signed out.`,
      ifNotYou,
    ],
  }),
  refresh_reuse: (_, workspace) => ({
    title: 'You were signed out for your safety',
    paragraphs: [
      `One of your sessions in ${workspace} was used from two places at once, so we ended it. Your other sessions go on.`,
      ifNotYou,
    ],
  }),
  password_reset_by_admin: ({ by = 'An admin' }, workspace) => ({
    title: 'Your password was reset',
    paragraphs: [
      `${by || 'An admin'} reset your password for ${workspace}. You were signed out everywhere.`,
      'Ask them if you did not expect this.',
    ],
  }),
  email_changed: ({ old_email = '', new_email = '' }, workspace) => ({
    title: 'Your e-mail address was changed',
    paragraphs: [
      `An admin of ${workspace} changed the address of your account from ${old_email} to ${new_email}. You were signed out everywhere.`,
      'Ask them if you did not expect this.',
    ],
  }),
  impersonated: ({ by = 'An admin', reason = '' }, workspace) => ({
    title: 'An admin is acting as you',
    paragraphs: [
      `${by || 'An admin'} of ${workspace} sees what you see and may do what you do, for an hour at most.`,
      ...(reason ? [`They gave this reason: ${reason}`] : []),
      'They cannot see or change your password. What they did stands in the audit trail under both your names. Ask them if you did not expect this.',
    ],
  }),
}

type LinkMail = { workspace: string; url: string; by?: string | null }

export const inviteText = ({ workspace, url }: LinkMail): Text => ({
  subject: `You are invited to ${workspace}`,
  content: {
    title: `You are invited to ${workspace}`,
    paragraphs: ['Choose a password to open your account. The link works once, within 7 days.'],
    action: { label: 'Accept the invitation', url },
    footer: 'If you do not know this workspace, ignore this mail: nothing happens until the link is used.',
  },
})

export const resetText = ({ workspace, url, by }: LinkMail): Text => ({
  subject: `Reset your password for ${workspace}`,
  content: {
    title: 'Reset your password',
    paragraphs: [
      by ? `${by} asked you to choose a new password.` : 'Somebody, hopefully you, asked for a new password.',
      'The link works once, within 60 minutes.',
    ],
    action: { label: 'Choose a new password', url },
    footer: 'If you did not ask for this, ignore this mail: your password stays as it is.',
  },
})

export const verificationText = ({ workspace, url }: LinkMail): Text => ({
  subject: `Confirm your e-mail address for ${workspace}`,
  content: {
    title: 'Confirm your e-mail address',
    paragraphs: [
      `Somebody, hopefully you, has an account in ${workspace} with this address.`,
      'Open the link and sign in to show that it is yours. The link works once, within 24 hours.',
    ],
    action: { label: 'Confirm the address', url },
    footer:
      'If you know nothing of this, ignore this mail: without the link nobody can say that the address is theirs.',
  },
})
