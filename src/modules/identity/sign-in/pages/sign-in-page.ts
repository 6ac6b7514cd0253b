import { escapeHtml, type PageLanguage, type PageTheme } from '#platform/html'
import type { SsoProviders } from '../current-session/auth.schemas.ts'
import {
  actionButton,
  emailField,
  form,
  passwordField,
  passwordRules,
  section,
  sectionButton,
  textField,
  withEmailAddress,
} from './page-parts.ts'
import type { AccountTexts } from './texts/account-texts.ts'

const providerIcons: Record<string, string> = {
  google:
    '<svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><path fill="#4285f4" d="M17.6 9.2c0-.6-.1-1.2-.2-1.8H9v3.5h4.8a4.1 4.1 0 0 1-1.8 2.7v2.2h2.9c1.7-1.6 2.7-3.9 2.7-6.6z"/><path fill="#34a853" d="M9 18c2.4 0 4.5-.8 6-2.2l-2.9-2.2a5.4 5.4 0 0 1-8.1-2.8H1v2.3A9 9 0 0 0 9 18z"/><path fill="#fbbc05" d="M4 10.7a5.4 5.4 0 0 1 0-3.4V5H1a9 9 0 0 0 0 8z"/><path fill="#ea4335" d="M9 3.6c1.3 0 2.5.5 3.4 1.3L15 2.3A9 9 0 0 0 1 5l3 2.3a5.4 5.4 0 0 1 5-3.7z"/></svg>',
  okta: '<svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><circle cx="9" cy="9" r="6.5" fill="none" stroke="currentColor" stroke-width="4"/></svg>',
}

export function signInSections(context: AccountPageParts): string[] {
  const { texts, workspace, methods } = context
  const lead = methods.sso_enforced ? escapeHtml(texts.usesSingleSignOn(workspace)) : undefined
  const isSignUpOpen = methods.signup !== 'closed' && !methods.sso_enforced
  return [
    section('sign-in', { heading: texts.signInTo(workspace), lead }, signInParts(context, isSignUpOpen), {
      isHidden: false,
    }),
    section('forgot', { icon: 'key', heading: texts.forgotTitle, lead: escapeHtml(texts.forgotLead) }, [
      form([emailField('forgot', texts)], texts.sendLink, sectionButton(texts.backToSignIn, 'sign-in')),
    ]),
    section(
      'check-email',
      { icon: 'checkedEmail', heading: texts.checkEmail, lead: withEmailAddress(texts.checkEmailLead) },
      [
        sectionButton(texts.backToSignIn, 'sign-in', 'button wide'),
        `<div class="end"><span>${escapeHtml(texts.nothingArrived)}</span>${actionButton(texts.sendAgain, 'send-again', 'link')}</div>`,
      ],
    ),
    ...(isSignUpOpen ? [signUpSection(context)] : []),
  ]
}

function signInParts({ texts, workspace, methods }: AccountPageParts, isSignUpOpen: boolean): string[] {
  const providers = methods.providers.filter(({ enabled }) => enabled)
  const isPasswordForAdmins = methods.sso_enforced && providers.length > 0
  const passwordForm = form(
    [
      emailField('sign-in', texts),
      passwordField(
        'sign-in',
        { name: 'password', label: texts.password, aside: sectionButton(texts.forgot, 'forgot', 'link') },
        texts,
      ),
    ],
    texts.signIn,
  )
  const toSignUp = isSignUpOpen
    ? sectionButton(texts.signUp, 'sign-up', 'link')
    : escapeHtml(texts.askForInvitation(workspace))
  const toPassword = `<span>${escapeHtml(texts.isAdmin)}</span>${actionButton(texts.signInWithPassword, 'use-password', 'link')}`
  return [
    providers.length ? `<div class="stack">${providers.map(renderProvider(texts)).join('\n')}</div>` : '',
    providers.length && !isPasswordForAdmins ? `<p class="or">${escapeHtml(texts.or)}</p>` : '',
    `<div id="password-form"${isPasswordForAdmins ? ' hidden' : ''}>${passwordForm}</div>`,
    isPasswordForAdmins
      ? `<div class="end" id="for-admins">${toPassword}</div>`
      : `<div class="end"><span>${escapeHtml(texts.newHere)} ${toSignUp}</span></div>`,
  ]
}

/** The script replaces `return_to` if the user comes from another page. */
const renderProvider =
  (texts: AccountPageParts['texts']) =>
  ({ name, display_name, start_url }: SsoProviders['providers'][number]): string =>
    `<a class="button wide" data-provider href="${start_url}?return_to=%2F">${providerIcons[name] ?? ''}${escapeHtml(texts.continueWith(display_name))}</a>`

function signUpSection({ texts, workspace, minPasswordLength: minLength }: AccountPageParts): string {
  const fields = [
    textField('sign-up', 'name', texts.yourName, 'name'),
    emailField('sign-up', texts),
    passwordField('sign-up', { name: 'password', label: texts.password, describedBy: 'sign-up-rules' }, texts),
    passwordRules('sign-up', { workspace, minLength }, texts),
  ]
  return section('sign-up', { heading: texts.signUpFor(workspace) }, [
    form(fields, texts.signUp, sectionButton(texts.backToSignIn, 'sign-in')),
  ])
}

export type AccountPageContext = {
  theme: PageTheme
  language: PageLanguage
  minPasswordLength: number
  methods: SsoProviders
}
export type AccountPageParts = AccountPageContext & { workspace: string; texts: AccountTexts }
