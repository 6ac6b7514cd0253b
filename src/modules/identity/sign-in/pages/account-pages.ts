import { buildCardPage, escapeHtml, type PageLanguage, type PublicPage, renderNote } from '#platform/html'
import { homeSections } from './home-page.ts'
import { actionButton, form, link, passwordField, passwordRules, section, withEmailAddress } from './page-parts.ts'
import { type AccountPageContext, type AccountPageParts, signInSections } from './sign-in-page.ts'
import { accountTexts } from './texts/account-texts.ts'

type AccountPage = { title: string; script: string; sections: string[]; isWide?: boolean; language?: PageLanguage }

const visible = { isHidden: false }

/** Pages linked from emails and single sign-on. The script of a page shows one of its sections at a time. */
const accountPages: Record<string, (context: AccountPageParts) => AccountPage> = {
  '/': ({ workspace }) => ({
    title: 'Home',
    script: 'home.js',
    sections: homeSections(workspace),
    isWide: true,
    language: 'en',
  }),
  '/login': (context) => ({
    title: context.texts.signIn,
    script: 'login.js',
    sections: [...signInSections(context), changePasswordSection(context)],
  }),
  '/auth/complete': (context) => ({
    title: context.texts.signingIn,
    script: 'complete.js',
    sections: [
      section('waiting', { heading: context.texts.signingIn }, [], visible),
      section('failed', { icon: 'warning', tone: 'plain', heading: context.texts.signInFailed }, [
        link(context.texts.tryAgain, '/login', ' primary'),
      ]),
      changePasswordSection(context),
    ],
  }),
  '/reset-password': (context) => {
    const { texts } = context
    return choosePasswordPage(context, {
      heading: texts.choosePassword,
      lead: texts.choosePasswordLead,
      submit: texts.savePassword,
      saved: texts.passwordSaved,
      failed: section('failed', { icon: 'brokenLink', tone: 'plain', heading: texts.linkInvalid }, [
        link(texts.requestLink, '/login#forgot', ' primary'),
      ]),
    })
  },
  '/accept-invite': (context) => {
    const { texts, workspace } = context
    const top = { icon: 'brokenLink', tone: 'plain', heading: texts.invitationInvalid } as const
    return choosePasswordPage(context, {
      heading: texts.welcome(workspace),
      lead: texts.welcomeLead,
      submit: texts.activate,
      saved: texts.accountActive,
      failed: section('failed', { ...top, lead: escapeHtml(texts.invitationInvalidLead) }, [
        link(texts.goToSignIn, '/login', ' primary'),
        `<p class="end">${escapeHtml(texts.noAccount(workspace))}</p>`,
      ]),
    })
  },
  '/verify-email': ({ texts }) => ({
    title: texts.verifyEmail,
    script: 'verify-email.js',
    sections: [
      section('waiting', { heading: texts.verifying }, [], visible),
      section('sign-in-first', { heading: texts.signInToVerify, lead: escapeHtml(texts.signInToVerifyLead) }, [
        link(texts.signIn, '/login#return_to=/verify-email', ' primary'),
      ]),
      section('verified', { icon: 'check', tone: 'good', heading: texts.emailVerified }, [
        link(texts.continue, '/', ' primary'),
      ]),
      section('failed', { icon: 'brokenLink', tone: 'plain', heading: texts.emailNotVerified }, [
        actionButton(texts.sendNewLink, 'resend', 'button primary wide'),
        link(texts.signIn, '/login'),
      ]),
    ],
  }),
}

export const accountPagePaths: readonly string[] = Object.keys(accountPages)

export function buildAccountPage(path: string, context: AccountPageContext): PublicPage {
  const texts = accountTexts[context.language]
  const { workspace } = context.theme
  const page = accountPages[path]!({ ...context, workspace, texts })
  const messages = Object.entries(texts.messages).map(
    ([code, text]) => `<template data-message="${code}">${escapeHtml(text)}</template>`,
  )
  return buildCardPage(context.theme, {
    title: page.title,
    language: page.language ?? context.language,
    script: `/pages/${page.script}`,
    formAction: 'none',
    isWide: page.isWide,
    parts: [
      renderNote('bad', '', ' id="problem" role="alert" hidden'),
      renderNote('good', '', ' id="news" role="status" hidden'),
      `<noscript>${renderNote('plain', escapeHtml(texts.needsScript))}</noscript>`,
      ...messages,
      ...page.sections,
    ],
  })
}

function changePasswordSection({ texts, workspace, minPasswordLength: minLength }: AccountPageParts): string {
  const id = 'change-password'
  const describedBy = `${id}-rules`
  return section(id, { icon: 'key', heading: texts.choosePassword, lead: escapeHtml(texts.temporaryPassword) }, [
    form(
      [
        passwordField(id, { name: 'current_password', label: texts.currentPassword }, texts),
        passwordField(id, { name: 'new_password', label: texts.newPassword, describedBy }, texts),
        passwordRules(id, { workspace, minLength }, texts),
      ],
      texts.savePassword,
    ),
  ])
}

type PasswordChoice = { heading: string; lead: readonly string[]; submit: string; saved: string; failed: string }

const choosePasswordPage = (
  { texts, workspace, minPasswordLength: minLength }: AccountPageParts,
  { heading, lead, submit, saved, failed }: PasswordChoice,
): AccountPage => ({
  title: heading,
  script: 'choose-password.js',
  sections: [
    section('waiting', { heading: texts.checkingLink }, [], visible),
    section('choose', { heading, lead: withEmailAddress(lead) }, [
      form(
        [
          passwordField(
            'choose',
            { name: 'new_password', label: texts.newPassword, describedBy: 'choose-rules' },
            texts,
          ),
          passwordRules('choose', { workspace, minLength }, texts),
        ],
        submit,
      ),
    ]),
    section('chosen', { icon: 'check', tone: 'good', heading: saved }, [link(texts.signIn, '/login', ' primary')]),
    failed,
  ],
})
