// The types know this module only by its folder's name, which Node does not resolve.
declare module 'selenium-webdriver/remote/index.js' {
  export { DriverService } from 'selenium-webdriver/remote';
}
