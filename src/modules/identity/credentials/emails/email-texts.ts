import type { MailContent } from '#platform/mail'

export const securityNotices = [
  'new_device',
  'password_changed',
  'refresh_reuse',
  'password_reset_by_admin',
  'email_changed',
  'impersonated',
  'api_key_created',
  'admin_added',
] as const
export type SecurityNotice = (typeof securityNotices)[number]
export type NoticeDetails = Record<string, string>

export type EmailText = { subject: string; content: Omit<MailContent, 'workspace'> }
type WorkspaceInfo = { workspace: string; signInUrl: string }

const footer =
  'You are receiving this email because it concerns the security of your account. You cannot unsubscribe from security notifications.'

export function securityNoticeEmail(
  notice: SecurityNotice,
  details: NoticeDetails,
  { workspace, signInUrl }: WorkspaceInfo,
): EmailText {
  const { title, paragraphs, facts } = noticeTemplates[notice](details, workspace)
  return {
    subject: `${title} (${workspace})`,
    content: { title, paragraphs, facts, action: { label: 'Open your workspace', url: signInUrl }, footer },
  }
}

const ifNotYou = 'If this was not you, change your password now and contact an admin of your workspace.'

type NoticeTemplate = (
  details: NoticeDetails,
  workspace: string,
) => Pick<EmailText['content'], 'title' | 'paragraphs' | 'facts'>

const noticeTemplates: Record<SecurityNotice, NoticeTemplate> = {
  new_device: ({ device = 'an unknown device', ip = 'an unknown IP address' }, workspace) => ({
    title: 'Sign-in from a new device',
    paragraphs: [`Your account in ${workspace} was used to sign in from a new device.`, ifNotYou],
    facts: [
      { label: 'Device', value: device },
      { label: 'IP address', value: ip },
    ],
  }),
  password_changed: (_, workspace) => ({
    title: 'Your password was changed',
    paragraphs: [`Your password for ${workspace} was changed and all your sessions were signed out.`, ifNotYou],
  }),
  refresh_reuse: (_, workspace) => ({
    title: 'You were signed out for security reasons',
    paragraphs: [
      `One of your sessions in ${workspace} was used from two places at the same time, so we ended it. Your other sessions are not affected.`,
      ifNotYou,
    ],
  }),
  password_reset_by_admin: ({ by = 'An admin' }, workspace) => ({
    title: 'Your password was reset',
    paragraphs: [
      `${by || 'An admin'} reset your password for ${workspace}. You were signed out everywhere.`,
      'Contact them if you did not expect this.',
    ],
  }),
  email_changed: ({ old_email = '', new_email = '' }, workspace) => ({
    title: 'Your email address was changed',
    paragraphs: [
      `An admin of ${workspace} changed the email address of your account from ${old_email} to ${new_email}. You were signed out everywhere.`,
      'Contact them if you did not expect this.',
    ],
  }),
  impersonated: ({ by = 'An admin', reason = '' }, workspace) => ({
    title: 'An admin is impersonating you',
    paragraphs: [
      `${by || 'An admin'} of ${workspace} is signed in as you for up to one hour.`,
      ...(reason ? [`Reason: ${reason}`] : []),
      'They cannot see or change your password. Everything they do is recorded in the audit log under both names. Contact them if you did not expect this.',
    ],
  }),
  api_key_created: ({ key = '' }, workspace) => ({
    title: 'A new API key was created',
    paragraphs: [
      `The API key “${key}” was created in your account in ${workspace}.`,
      'If this was not you, revoke the API key, change your password and contact an admin of your workspace.',
    ],
  }),
  admin_added: ({ by, admin = '' }, workspace) => ({
    title: 'A new admin was added',
    paragraphs: [
      `${by || 'An operator'} made ${admin} an admin of ${workspace}. You get this email because you are an admin.`,
      'If you did not expect this, deactivate the new admin and check the audit log.',
    ],
  }),
}

type LinkEmailInput = { workspace: string; url: string; by?: string | null }

export const inviteEmail = ({ workspace, url }: LinkEmailInput): EmailText => ({
  subject: `You are invited to ${workspace}`,
  content: {
    title: `You are invited to ${workspace}`,
    paragraphs: ['Choose a password to activate your account. The link is valid for 7 days and can be used once.'],
    action: { label: 'Accept the invitation', url },
    footer: 'If you do not know this workspace, you can ignore this email.',
  },
})

export const passwordResetEmail = ({ workspace, url, by }: LinkEmailInput): EmailText => ({
  subject: `Reset your password for ${workspace}`,
  content: {
    title: 'Reset your password',
    paragraphs: [
      by ? `${by} asked you to choose a new password.` : 'We received a request to reset your password.',
      'The link is valid for 60 minutes and can be used once.',
    ],
    action: { label: 'Choose a new password', url },
    footer: 'If you did not request this, you can ignore this email. Your password stays the same.',
  },
})

export const verificationEmail = ({ workspace, url }: LinkEmailInput): EmailText => ({
  subject: `Confirm your email address for ${workspace}`,
  content: {
    title: 'Confirm your email address',
    paragraphs: [
      `An account in ${workspace} was created with this email address.`,
      'Open the link and sign in to confirm that the address is yours. The link is valid for 24 hours and can be used once.',
    ],
    action: { label: 'Confirm email address', url },
    footer: 'If you did not create this account, you can ignore this email.',
  },
})
