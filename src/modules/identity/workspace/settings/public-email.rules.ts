const providersPerCountry = /^(?:yahoo|hotmail|outlook|live|gmx|yandex|ymail|rocketmail)\.[a-z]{2,3}(?:\.[a-z]{2})?$/

const providers = new Set(
  `gmail.com googlemail.com msn.com icloud.com me.com mac.com aol.com aim.com mail.com mail.ru bk.ru inbox.ru list.ru
  rambler.ru ya.ru proton.me protonmail.com protonmail.ch pm.me tutanota.com tutamail.com tuta.io tuta.com zoho.com zohomail.com
  fastmail.com fastmail.fm hey.com hushmail.com posteo.de mailbox.org web.de freenet.de t-online.de arcor.de online.de
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr libero.it virgilio.it tiscali.it alice.it tin.it terra.com.br
  uol.com.br bol.com.br ig.com.br seznam.cz centrum.cz wp.pl o2.pl onet.pl interia.pl ziggo.nl kpnmail.nl telenet.be skynet.be
  bluewin.ch comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net btinternet.com
  sky.com talktalk.net virginmedia.com ntlworld.com rogers.com shaw.ca sympatico.ca bigpond.com optusnet.com.au xtra.co.nz
  qq.com foxmail.com 163.com 126.com yeah.net sina.com sohu.com aliyun.com naver.com hanmail.net daum.net nate.com
  rediffmail.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp`.split(/\s+/),
)

/** Anyone can register there, so a shared domain does not mean a shared company. */
export const isPublicEmailDomain = (domain: string): boolean =>
  providers.has(domain) || providersPerCountry.test(domain)

export const emailDomainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Allows the email domain of the first admin to sign up, unless it belongs to a public email provider. */
export function defaultSignupSettings(adminEmail: string, requestedPolicy?: 'closed' | 'domain' | 'open') {
  const domain = emailDomainOf(adminEmail)
  const isCompanyDomain = !isPublicEmailDomain(domain)
  const policy = requestedPolicy ?? (isCompanyDomain ? 'domain' : 'closed')
  const allowed_email_domains = policy === 'domain' && isCompanyDomain ? [domain] : []
  return { policy, allowed_email_domains, ...(requestedPolicy === 'open' && { require_verified_email: false }) }
}
